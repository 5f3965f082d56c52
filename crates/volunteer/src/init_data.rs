//! [`InitData`]: what the client says about the task when it starts the program, in
//! `init_data.xml`. Only what says *when* something is done is read; no setting of the user has a say
//! in what comes of a unit.

use std::time::Duration;

/// What the client says; what is missing or makes no sense has its default.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct InitData {
    /// The name of the result: the work unit's with `_` and the number of the attempt.
    pub(crate) result: String,
    /// The processor time until the last checkpoint of an earlier start.
    pub(crate) processor: Duration,
    /// How often checkpoints may go to the disk.
    pub(crate) checkpoints: Duration,
    /// The process that has started this one; 0 if it does not say.
    pub(crate) client: u32,
}

/// Never more often, whatever the user says.
const SHORTEST: f64 = 1.0;
const LONGEST: f64 = 86_400.0;
const LONGEST_NAME: usize = 256;

impl Default for InitData {
    fn default() -> InitData {
        let checkpoints = Duration::from_secs(60);
        InitData { result: String::new(), processor: Duration::ZERO, checkpoints, client: 0 }
    }
}

impl InitData {
    /// Reads it. Whatever it holds, there is an answer.
    pub(crate) fn read(text: &str) -> InitData {
        let usual = InitData::default();
        let number = |name: &str| {
            let number = element(text, name)?.parse::<f64>().ok()?;
            number.is_finite().then_some(number)
        };
        let seconds = |number: f64| Duration::try_from_secs_f64(number).unwrap_or_default();
        let result = element(text, "result_name").filter(|name| name.len() <= LONGEST_NAME);
        InitData {
            result: result.map_or(usual.result, str::to_owned),
            processor: number("wu_cpu_time").map_or(usual.processor, seconds),
            checkpoints: number("checkpoint_period")
                .map_or(usual.checkpoints, |period| seconds(period.clamp(SHORTEST, LONGEST))),
            client: number("client_pid").map_or(usual.client, |number| number as u32),
        }
    }

    /// Which attempt at the unit this is: what stands behind the last `_` of the result's name.
    pub(crate) fn attempt(&self) -> u32 {
        let number = self.result.rsplit_once('_').and_then(|(_, number)| number.parse().ok());
        number.unwrap_or_default()
    }
}

/// What stands between the first `<name>` and the `</name>` that follows.
fn element<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let open = format!("<{name}>");
    let (_, rest) = text.split_once(open.as_str())?;
    let (inner, _) = rest.split_once(format!("</{name}>").as_str())?;
    Some(inner.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    const REAL: &str = "<app_init_data>\n<major_version>7</major_version>\n<userid>3</userid>\n\
        <user_name>Anna &amp; Bert</user_name>\n<wu_name>unit_1_2_77</wu_name>\n\
        <result_name>unit_1_2_77_3</result_name>\n<wu_cpu_time>12.500000</wu_cpu_time>\n\
        <checkpoint_period>3.000000</checkpoint_period>\n<client_pid>4711</client_pid>\n\
        </app_init_data>\n";

    #[test]
    fn what_the_client_says_is_read() {
        let read = InitData::read(REAL);
        assert_eq!(read.attempt(), 3);
        let right = InitData {
            result: "unit_1_2_77_3".to_owned(),
            processor: Duration::from_millis(12_500),
            checkpoints: Duration::from_secs(3),
            client: 4711,
        };
        assert_eq!(read, right);
    }

    #[test]
    fn nonsense_has_no_say() {
        assert_eq!(InitData::read(""), InitData::default());
        let wrong = "<wu_cpu_time>-1</wu_cpu_time><checkpoint_period>0</checkpoint_period>\
            <client_pid>x</client_pid><result_name>alone</result_name>";
        let read = InitData::read(wrong);
        assert_eq!((read.processor, read.client, read.attempt()), (Duration::ZERO, 0, 0));
        assert_eq!(read.checkpoints, Duration::from_secs(1));
        for endless in ["1e300", "inf", "NaN", "1e999"] {
            let text = format!("<checkpoint_period>{endless}</checkpoint_period>");
            assert!(InitData::read(&text).checkpoints <= Duration::from_secs(86_400));
        }
    }

    #[test]
    fn whatever_it_holds_there_is_an_answer() {
        let mut rng = game::Rng::new(7);
        for _ in 0..20_000 {
            let mut bytes = REAL.as_bytes().to_vec();
            for _ in 0..1 + rng.next_u64() % 8 {
                let at = rng.next_u64() as usize % bytes.len();
                match rng.next_u64() % 3 {
                    0 => bytes[at] = rng.next_u64() as u8,
                    1 => bytes.truncate(at.max(1)),
                    _ => bytes.insert(at, b'<'),
                }
            }
            let read = InitData::read(&String::from_utf8_lossy(&bytes));
            assert!(read.checkpoints >= Duration::from_secs(1));
            read.attempt();
        }
    }
}
