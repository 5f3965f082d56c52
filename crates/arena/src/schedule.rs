//! [`Format`]: who meets whom in a tournament.
//!
//! A schedule is a plain function of what has been played: whoever runs a tournament asks for the encounters that can be played now, plays
//! them in any order and as many at a time as it likes, and asks again with their results. So a tournament that was stopped
//! goes on from its results alone. Players are numbers from 0; in a knockout these are their seeds, 0 the best.

use std::cmp::Ordering;

use crate::score::Score;

/// How a tournament goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Everybody meets everybody.
    RoundRobin {
        /// How often.
        times: usize,
    },
    /// Player 0 meets everybody else, who do not meet one another.
    Gauntlet {
        /// How often.
        times: usize,
    },
    /// Who loses is out. Where the number of players is no power of two, the best seeds begin in the second round.
    Knockout {
        /// How often an encounter that ended level is played on. Then the better seed goes through.
        extra: usize,
    },
}

/// Two players who are to meet, for as many pairs of games as the tournament has them play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Encounter {
    /// The round, from 0. Nobody has two encounters in a round, save those that are played on.
    pub round: usize,
    /// Who they are, the smaller number first.
    pub players: [usize; 2],
    /// How often they have ended level in this round.
    pub replay: usize,
}

/// An encounter that has been played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// Which one.
    pub encounter: Encounter,
    /// As the first of its players sees it.
    pub score: Score,
}

impl Encounter {
    fn new(round: usize, one: usize, other: usize) -> Encounter {
        Encounter { round, players: [one.min(other), one.max(other)], replay: 0 }
    }
}

impl Format {
    /// The encounters that can be played now, by rounds: none once the tournament is over.
    #[must_use]
    pub fn next_encounters(self, players: usize, played: &[Meeting]) -> Vec<Encounter> {
        let all = match self {
            Format::RoundRobin { times } => round_robin(players, times),
            Format::Gauntlet { times } => gauntlet(players, times),
            Format::Knockout { extra } => return Bracket::new(players, extra, played).open,
        };
        let is_left = |encounter: &Encounter| !played.iter().any(|m| m.encounter == *encounter);
        all.into_iter().filter(is_left).collect()
    }

    /// How many encounters the whole tournament has, those that are played on counted once.
    #[must_use]
    pub fn encounter_count(self, players: usize) -> usize {
        let others = players.saturating_sub(1);
        match self {
            Format::RoundRobin { times } => times * players * others / 2,
            Format::Gauntlet { times } => times * others,
            Format::Knockout { .. } => others,
        }
    }

    /// Who is left at the end of a knockout. The other formats have a [`TournamentTable`](crate::TournamentTable) instead.
    #[must_use]
    pub fn champion(self, players: usize, played: &[Meeting]) -> Option<usize> {
        match self {
            Format::Knockout { extra } => Bracket::new(players, extra, played).champion,
            Format::RoundRobin { .. } | Format::Gauntlet { .. } => None,
        }
    }
}

/// The circle method: one player stays, the others sit in a circle that turns by one seat each round, and everybody meets
/// who sits opposite. An odd number of players leaves a seat empty.
fn round_robin(players: usize, times: usize) -> Vec<Encounter> {
    let seats = players + players % 2;
    let turns = seats.saturating_sub(1);
    let mut encounters = Vec::new();
    for round in 0..turns * times {
        let sitting = |seat: usize| match seat {
            0 => 0,
            _ => 1 + (seat - 1 + round) % turns,
        };
        for seat in 0..seats / 2 {
            let (one, other) = (sitting(seat), sitting(seats - 1 - seat));
            if one.max(other) < players {
                encounters.push(Encounter::new(round, one, other));
            }
        }
    }
    encounters
}

fn gauntlet(players: usize, times: usize) -> Vec<Encounter> {
    let others = players.saturating_sub(1);
    (0..others * times).map(|round| Encounter::new(round, 0, 1 + round % others)).collect()
}

/// How far a knockout has come.
struct Bracket {
    /// What can be played now.
    open: Vec<Encounter>,
    champion: Option<usize>,
}

impl Bracket {
    fn new(players: usize, extra: usize, played: &[Meeting]) -> Bracket {
        let mut open = Vec::new();
        if players == 0 {
            return Bracket { open, champion: None };
        }
        // Who has come so far, in the order of the bracket; `None` where that is not decided.
        let mut left: Vec<Option<usize>> = seeding(players).into_iter().map(Some).collect();
        let mut round = 0;
        while left.len() > 1 {
            let through = left.chunks(2).map(|two| {
                let [Some(one), Some(other)] = *two else { return None };
                let encounter = Encounter::new(round, one, other);
                // Seeds beyond the number of players are empty seats, which only the first round has.
                if encounter.players[1] >= players {
                    return Some(encounter.players[0]);
                }
                let winner = winner(encounter, extra, played);
                winner.map_err(|encounter| open.push(encounter)).ok()
            });
            left = through.collect();
            round += 1;
        }
        Bracket { open, champion: left[0] }
    }
}

/// Seeds in the order of the bracket, such that the best two can only meet in the last round, the best four in the last
/// but one, and so on: as many as the next power of two.
fn seeding(players: usize) -> Vec<usize> {
    let mut order = vec![0];
    while order.len() < players {
        let last = 2 * order.len() - 1;
        order = order.into_iter().flat_map(|seed| [seed, last - seed]).collect();
    }
    order
}

/// Who goes through, or what has to be played to know it.
fn winner(encounter: Encounter, extra: usize, played: &[Meeting]) -> Result<usize, Encounter> {
    let key = |encounter: Encounter| (encounter.round, encounter.players);
    let mut score = Score::default();
    let mut times = 0;
    for meeting in played.iter().filter(|m| key(m.encounter) == key(encounter)) {
        score.add(&meeting.score);
        times += 1;
    }
    let [better, worse] = encounter.players;
    match score.wins.cmp(&score.losses) {
        Ordering::Greater => Ok(better),
        Ordering::Less => Ok(worse),
        Ordering::Equal if times > extra => Ok(better),
        Ordering::Equal => Err(Encounter { replay: times, ..encounter }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Rng;
    use std::collections::{BTreeMap, BTreeSet};

    fn score(wins: u32, losses: u32) -> Score {
        Score { wins, losses, ..Score::default() }
    }

    fn meeting(encounter: Encounter, wins: u32, losses: u32) -> Meeting {
        Meeting { encounter, score: score(wins, losses) }
    }

    /// Plays a tournament to its end, each time a few of the encounters offered, in any order.
    fn played(
        format: Format,
        players: usize,
        rng: &mut Rng,
        result: &mut dyn FnMut(&mut Rng, Encounter) -> Score,
    ) -> Vec<Meeting> {
        let mut played = Vec::new();
        loop {
            let mut open = format.next_encounters(players, &played);
            if open.is_empty() {
                return played;
            }
            let distinct: BTreeSet<_> = open.iter().map(|e| (e.round, e.players)).collect();
            assert_eq!(distinct.len(), open.len());
            rng.shuffle(&mut open);
            for &encounter in &open[..1 + rng.below(open.len())] {
                played.push(Meeting { encounter, score: result(rng, encounter) });
            }
        }
    }

    fn nobody_plays_twice_in_a_round(played: &[Meeting]) {
        let mut seen = BTreeSet::new();
        for meeting in played.iter().filter(|meeting| meeting.encounter.replay == 0) {
            let Encounter { round, players: [one, other], .. } = meeting.encounter;
            assert!(one < other);
            assert!(seen.insert((round, one)) && seen.insert((round, other)), "{meeting:?}");
        }
    }

    #[test]
    fn everybody_meets_everybody() {
        let mut rng = Rng::new(1);
        for (players, times) in (0..=17).flat_map(|players| (0..=3).map(move |n| (players, n))) {
            let format = Format::RoundRobin { times };
            let played = played(format, players, &mut rng, &mut |_, _| score(1, 0));
            assert_eq!(played.len(), format.encounter_count(players));
            nobody_plays_twice_in_a_round(&played);
            let mut met = BTreeMap::new();
            for meeting in &played {
                *met.entry(meeting.encounter.players).or_insert(0) += 1;
            }
            assert_eq!(
                met.len(),
                if times > 0 { players * players.saturating_sub(1) / 2 } else { 0 }
            );
            assert!(met.values().all(|&n| n == times), "{players} {times}");
            // No round is wasted: all play, or all but one.
            let rounds: BTreeSet<_> = played.iter().map(|m| m.encounter.round).collect();
            assert!(players < 2 || rounds.len() == times * (players - 1 + players % 2));
        }
    }

    #[test]
    fn one_meets_all_others() {
        let mut rng = Rng::new(2);
        for players in 0..9 {
            let format = Format::Gauntlet { times: 2 };
            let played = played(format, players, &mut rng, &mut |_, _| score(0, 1));
            assert_eq!(played.len(), 2 * players.saturating_sub(1));
            nobody_plays_twice_in_a_round(&played);
            assert!(played.iter().all(|meeting| meeting.encounter.players[0] == 0));
            assert_eq!(format.champion(players, &played), None);
        }
    }

    #[test]
    fn a_knockout_leaves_one() {
        let mut rng = Rng::new(3);
        for players in (2..40).chain([64, 100]) {
            let format = Format::Knockout { extra: 2 };
            let mut lost = BTreeSet::new();
            let played = played(format, players, &mut rng, &mut |rng, encounter| {
                let (wins, losses) = [(3, 1), (1, 2)][rng.below(2)];
                assert!(encounter.players.iter().all(|player| !lost.contains(player)));
                lost.insert(encounter.players[usize::from(wins > losses)]);
                score(wins, losses)
            });
            assert_eq!(played.len(), players - 1, "who loses is out");
            nobody_plays_twice_in_a_round(&played);
            let champion = format.champion(players, &played).unwrap();
            assert!(!lost.contains(&champion) && lost.len() == players - 1);
            // Byes are for the best seeds, and only in the first round.
            let places = players.next_power_of_two();
            let beginning = played.iter().filter(|meeting| meeting.encounter.round == 0);
            let beginners: BTreeSet<_> = beginning.flat_map(|m| m.encounter.players).collect();
            assert!(beginners.iter().copied().eq(places - players..players));
        }
    }

    #[test]
    fn better_seeds_meet_late() {
        let format = Format::Knockout { extra: 0 };
        let mut rng = Rng::new(4);
        let played = played(format, 16, &mut rng, &mut |_, _| score(2, 0));
        assert_eq!(format.champion(16, &played), Some(0));
        for meeting in &played {
            let [one, other] = meeting.encounter.players;
            assert_eq!(one + other, (16 >> meeting.encounter.round) - 1);
        }
    }

    #[test]
    fn level_encounters_are_played_on() {
        let format = Format::Knockout { extra: 2 };
        let first = Encounter { round: 0, players: [0, 1], replay: 0 };
        let again = |replay| Encounter { replay, ..first };
        let mut played = vec![meeting(first, 2, 2)];
        assert_eq!(format.next_encounters(2, &played), [again(1)]);
        played.push(meeting(again(1), 0, 0));
        assert_eq!(format.next_encounters(2, &played), [again(2)]);
        let decided = [&played[..], &[meeting(again(2), 1, 2)]].concat();
        assert_eq!(format.champion(2, &decided), Some(1));
        played.push(meeting(again(2), 3, 3));
        assert_eq!(format.next_encounters(2, &played), []);
        assert_eq!(format.champion(2, &played), Some(0), "the better seed");
        assert_eq!(format.champion(2, &[]), None);
        assert_eq!((format.champion(0, &[]), format.champion(1, &[])), (None, Some(0)));
    }
}
