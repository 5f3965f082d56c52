//! [`People`]: who is at a table: in which seat, or looking on, under what name; and who has left.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use game::{Side, escaped};
use serde::Serialize;

use crate::refusal::Refusal;
use crate::seats::{Rights, Seat};

/// Of how many who look on the names are told.
pub(crate) const MOST_NAMED: usize = 20;
/// How many letters a name has at most.
pub(crate) const LONGEST_NAME: usize = 24;

/// What somebody wants to be called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct PersonName(String);

impl FromStr for PersonName {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<PersonName, Refusal> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let name = words.join(" ");
        let letters = name.chars().count();
        // What would steer a terminal or turn a line is not a letter of a name.
        match (1..=LONGEST_NAME).contains(&letters) && escaped(&name) == name {
            true => Ok(PersonName(name)),
            false => Err(Refusal::bad(format!("a name has 1 to {LONGEST_NAME} letters"))),
        }
    }
}

impl fmt::Display for PersonName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A visit, told apart from all others at the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct VisitorId(u64);

#[derive(Clone, Debug)]
struct Visitor {
    rights: Rights,
    name: Option<PersonName>,
}

/// Everybody at a table.
#[derive(Clone, Debug, Default)]
pub(crate) struct People {
    count: u64,
    /// Those who have said who they are.
    visitors: BTreeMap<VisitorId, Visitor>,
    /// When whoever sits there was last seen, and their name.
    seats: [LastSeen; 2],
}

#[derive(Clone, Debug, Default)]
struct LastSeen {
    at: Option<Duration>,
    name: Option<PersonName>,
}

impl People {
    /// The door opens for somebody.
    pub(crate) fn arrive(&mut self) -> VisitorId {
        self.count += 1;
        VisitorId(self.count)
    }

    /// Somebody says who they are, or that has changed.
    pub(crate) fn greet(&mut self, id: VisitorId, rights: Rights, name: Option<PersonName>) {
        let before = self.visitors.get(&id).and_then(|visitor| visitor.name.clone());
        let name = name.or(before);
        for seat in seats_of(rights) {
            if name.is_some() {
                self.seats[seat].name.clone_from(&name);
            }
        }
        self.visitors.insert(id, Visitor { rights, name });
    }

    pub(crate) fn leave(&mut self, id: VisitorId, now: Duration) {
        let Some(gone) = self.visitors.remove(&id) else { return };
        for seat in seats_of(gone.rights) {
            self.seats[seat].at = Some(now);
        }
    }

    /// The players have changed places.
    pub(crate) fn swap(&mut self) {
        self.seats.swap(0, 1);
        for visitor in self.visitors.values_mut() {
            visitor.rights.sides.swap(0, 1);
        }
    }

    /// As it is told.
    pub(crate) fn seen(&self, seats: &[Seat; 2]) -> Presence {
        let seat = |side: Side| {
            let at = side.index();
            let here = self.visitors.values().any(|visitor| visitor.rights.plays(side));
            let LastSeen { at: left, name } = self.seats[at].clone();
            let left = left.filter(|_| !here);
            seats[at].is_human().then_some(Sitting { name, here, left })
        };
        let looking_on = || self.visitors.values().filter(|visitor| !visitor.rights.any());
        let names = looking_on().filter_map(|visitor| visitor.name.clone());
        Presence {
            seats: [seat(Side::First), seat(Side::Second)],
            watching: looking_on().count(),
            names: names.take(MOST_NAMED).collect(),
        }
    }
}

fn seats_of(rights: Rights) -> impl Iterator<Item = usize> {
    (0..2).filter(move |&seat| rights.sides[seat])
}

/// Who is at a table, at some moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Presence {
    /// By side; none for a machine.
    seats: [Option<Sitting>; 2],
    watching: usize,
    names: Vec<PersonName>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Sitting {
    name: Option<PersonName>,
    here: bool,
    /// When they left, if they did.
    left: Option<Duration>,
}

/// Who is at a table, as it is sent.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "Presence"))]
pub(crate) struct PresenceEntry<'p> {
    seats: [Option<SittingEntry<'p>>; 2],
    /// How many look on.
    watching: usize,
    /// Those of them who have names, a few.
    #[cfg_attr(test, ts(as = "Vec<String>"))]
    names: &'p [PersonName],
}

/// Whoever sits in a seat.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "Sitting"))]
pub(crate) struct SittingEntry<'p> {
    #[cfg_attr(test, ts(as = "Option<String>"))]
    name: Option<&'p PersonName>,
    here: bool,
    /// How many milliseconds ago they left; null for who is here, or has not been seen.
    left: Option<u64>,
}

impl Presence {
    pub(crate) fn entry(&self, now: Duration) -> PresenceEntry<'_> {
        let seats = self.seats.each_ref().map(|seat| {
            seat.as_ref().map(|Sitting { name, here, left }| SittingEntry {
                name: name.as_ref(),
                here: *here,
                left: left.map(|left| now.saturating_sub(left).as_millis() as u64),
            })
        });
        PresenceEntry { seats, watching: self.watching, names: &self.names }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rights(first: bool, second: bool) -> Rights {
        Rights { host: false, sides: [first, second] }
    }

    fn told(people: &People, seats: [&str; 2], now: u64) -> serde_json::Value {
        let seats = seats.map(|seat| seat.parse().unwrap());
        serde_json::to_value(people.seen(&seats).entry(Duration::from_secs(now))).unwrap()
    }

    #[test]
    fn names_are_short_and_plain() {
        let name = |text: &str| text.parse::<PersonName>().map(|name| name.to_string());
        assert_eq!(name("  Ana \t Marija ").unwrap(), "Ana Marija");
        assert_eq!(name("<b>&\"").unwrap(), "<b>&\"", "whoever shows it escapes it");
        assert_eq!(name(&"ж".repeat(LONGEST_NAME)).unwrap().chars().count(), LONGEST_NAME);
        for bad in ["", "   ", "a\u{202e}b", "\u{200b}", "a\u{7}b", &"x".repeat(LONGEST_NAME + 1)] {
            assert!(name(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn who_left_is_remembered_and_two_windows_are_one_person() {
        let mut people = People::default();
        let [one, again, two] = [(); 3].map(|()| people.arrive());
        let seats = ["human", "human"];
        assert_eq!(told(&people, seats, 0)["watching"], 0, "nobody has said who they are");
        people.greet(one, rights(true, false), Some("Ana".parse().unwrap()));
        people.greet(again, rights(true, false), None);
        people.greet(two, rights(false, false), Some("Bo".parse().unwrap()));
        people.leave(one, Duration::from_secs(5));
        let now = told(&people, seats, 8);
        let ana = serde_json::json!({ "name": "Ana", "here": true, "left": null });
        assert_eq!(now["seats"][0], ana);
        assert_eq!(now["seats"][1]["here"], false);
        assert_eq!((&now["watching"], &now["names"][0]), (&1.into(), &"Bo".into()));
        people.leave(again, Duration::from_secs(9));
        people.leave(again, Duration::from_secs(20));
        let ana = serde_json::json!({ "name": "Ana", "here": false, "left": 3000 });
        assert_eq!(told(&people, seats, 12)["seats"][0], ana);
        people.swap();
        assert_eq!(told(&people, seats, 12)["seats"][1], ana);
        assert_eq!(told(&people, ["bot:easy", "human"], 12)["seats"][0], serde_json::Value::Null);
    }

    #[test]
    fn of_a_crowd_a_few_names_are_told() {
        let mut people = People::default();
        for _ in 0..1000 {
            let id = people.arrive();
            people.greet(id, rights(false, false), Some("x".parse().unwrap()));
        }
        let now = told(&people, ["human", "human"], 0);
        assert_eq!(now["watching"], 1000);
        assert_eq!(now["names"].as_array().unwrap().len(), MOST_NAMED);
    }
}
