//! Which program a machine gets.

use super::request::SchedulerRequest;
use crate::record::{AppVersionRow, CodeKeyRow};

/// The version for a machine: the newest that it can run, for the first of its platforms that has
/// any; of equal ones the one that is made for its processor.
pub(super) fn chosen<'v>(
    versions: &'v [AppVersionRow],
    request: &SchedulerRequest,
) -> Option<&'v AppVersionRow> {
    let features: Vec<&str> = request.features.split_whitespace().collect();
    request.platforms.iter().find_map(|platform| {
        versions
            .iter()
            .filter(|one| !one.superseded && !one.signature.is_empty())
            .filter(|one| one.platform == *platform && can_run(&one.plan_class, &features))
            .max_by_key(|one| (one.version, !one.plan_class.is_empty(), one.id))
    })
}

/// What a processor of x86-64-v3 has, as Linux names it.
const V3: [&str; 8] = ["avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe"];

/// Plan classes that nobody here knows are for nobody.
fn can_run(plan_class: &str, features: &[&str]) -> bool {
    match plan_class {
        "" => true,
        "v3" | "x86-64-v3" | "x86_64_v3" => V3.iter().all(|wanted| features.contains(wanted)),
        _ => false,
    }
}

/// What to tell a client about keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeyNews<'k> {
    /// It has the right one.
    Nothing,
    /// This one; it has none.
    First(&'k CodeKeyRow),
    /// This one comes after the one it has, and whether it is the newest.
    Next(&'k CodeKeyRow, bool),
    /// It has a key that was never ours, or the project has none.
    Unknown,
}

/// `keys` are the newest first.
pub(super) fn key_news<'k>(keys: &'k [CodeKeyRow], has: &str) -> KeyNews<'k> {
    let has: String = has.split_whitespace().collect();
    let Some(newest) = keys.first() else { return KeyNews::Unknown };
    if has.is_empty() {
        return KeyNews::First(newest);
    }
    let is_it = |key: &CodeKeyRow| key.public.split_whitespace().collect::<String>() == has;
    match keys.iter().position(is_it) {
        Some(0) => KeyNews::Nothing,
        Some(at) => KeyNews::Next(&keys[at - 1], at == 1),
        None => KeyNews::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(version: u32, platform: &str, plan_class: &str) -> AppVersionRow {
        AppVersionRow {
            id: 1,
            app: "zermelo".to_owned(),
            version,
            platform: platform.to_owned(),
            plan_class: plan_class.to_owned(),
            file: format!("{version}{platform}{plan_class}"),
            size: 1,
            md5: String::new(),
            signature: "signed".to_owned(),
            solvers: Vec::new(),
            superseded: false,
            created: 0,
        }
    }

    #[test]
    fn the_newest_that_a_machine_can_run() {
        let mut versions = vec![
            version(101, "x86_64-pc-linux-gnu", ""),
            version(102, "x86_64-pc-linux-gnu", ""),
            version(102, "x86_64-pc-linux-gnu", "v3"),
            version(103, "x86_64-pc-linux-gnu", "quantum"),
            version(110, "i686-pc-linux-gnu", ""),
        ];
        let asking = |features: &str, platforms: &[&str]| SchedulerRequest {
            features: features.to_owned(),
            platforms: platforms.iter().map(|&p| p.to_owned()).collect(),
            ..SchedulerRequest::default()
        };
        let linux = ["x86_64-pc-linux-gnu", "i686-pc-linux-gnu"];
        let file = |versions: &[AppVersionRow], request: &SchedulerRequest| {
            chosen(versions, request).map(|one| (one.version, one.plan_class.clone()))
        };
        let (old, new) = (asking("fpu avx", &linux), asking(&V3.join(" "), &linux));
        assert_eq!(file(&versions, &old), Some((102, String::new())));
        assert_eq!(file(&versions, &new), Some((102, "v3".to_owned())));
        assert_eq!(file(&versions, &asking("", &["windows_x86_64"])), None);
        versions[1].superseded = true;
        versions[2].signature.clear();
        assert_eq!(file(&versions, &new), Some((101, String::new())));
    }

    #[test]
    fn keys_follow_each_other() {
        let key = |public: &str| CodeKeyRow {
            public: public.to_owned(),
            signature: String::new(),
            created: 0,
        };
        let keys = [key("1024\ncc\n.\n"), key("1024\nbb\n.\n"), key("1024\naa\n.\n")];
        assert_eq!(key_news(&keys, ""), KeyNews::First(&keys[0]));
        assert_eq!(key_news(&keys, " 1024\r\ncc\r\n."), KeyNews::Nothing);
        assert_eq!(key_news(&keys, "1024 bb ."), KeyNews::Next(&keys[0], true));
        assert_eq!(key_news(&keys, "1024 aa ."), KeyNews::Next(&keys[1], false));
        assert_eq!(key_news(&keys, "1024 dd ."), KeyNews::Unknown);
        assert_eq!(key_news(&[], ""), KeyNews::Unknown);
    }
}
