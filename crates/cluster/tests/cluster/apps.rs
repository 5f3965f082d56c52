//! Programs of volunteers and the keys that vouch for them, on both engines.

use cluster::ClusterRecord;
use cluster::boinc::BoincKey;
use cluster::record::NewAppVersion;
use solve::message::SolverVersion;

use crate::suite::Fresh;

fn program(key: &BoincKey, version: u32, plan_class: &str) -> NewAppVersion {
    let bytes = format!("program {version} {plan_class}").into_bytes();
    let class = if plan_class.is_empty() { String::new() } else { format!("__{plan_class}") };
    NewAppVersion {
        app: "zermelo".to_owned(),
        version,
        platform: "x86_64-pc-linux-gnu".to_owned(),
        plan_class: plan_class.to_owned(),
        file: format!("zermelo_{version}_x86_64-pc-linux-gnu{class}"),
        signature: key.sign(&bytes).unwrap(),
        solvers: vec![
            ("reversi".to_owned(), SolverVersion(7)),
            ("go".to_owned(), SolverVersion(u64::MAX)),
        ],
        bytes,
    }
}

pub(crate) fn programs_are_signed_and_superseded(fresh: Fresh<'_>) {
    let record = ClusterRecord::open(&fresh()).unwrap();
    let (old, new) = (BoincKey::generate().unwrap(), BoincKey::generate().unwrap());
    let first = program(&old, 101, "");
    let refused = record.add_app_version(&first).unwrap_err().to_string();
    assert!(refused.contains("no code-signing key"), "{refused}");
    record.set_code_key(&old.public().to_string(), "").unwrap();
    record.add_app_version(&first).unwrap();
    for (wrong, why) in [
        (first.clone(), "already"),
        (
            NewAppVersion { signature: new.sign(&first.bytes).unwrap(), ..program(&old, 102, "") },
            "signature",
        ),
        (NewAppVersion { file: "../evil".to_owned(), ..program(&old, 102, "") }, "no name"),
        (NewAppVersion { bytes: Vec::new(), ..program(&old, 102, "") }, "empty"),
    ] {
        let error = record.add_app_version(&wrong).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    }
    record
        .add_app_version(&NewAppVersion { signature: String::new(), ..program(&old, 102, "v3") })
        .unwrap();
    let versions = record.app_versions().unwrap();
    assert_eq!(versions.iter().map(|v| v.version).collect::<Vec<_>>(), [102, 101]);
    assert_eq!((&*versions[0].signature, &versions[1].solvers), ("", &first.solvers));
    assert_eq!(record.app_file(&first.file).unwrap().unwrap(), first.bytes);
    assert_eq!(record.app_file("other").unwrap(), None);
    record.supersede(&first.file).unwrap();
    assert!(record.supersede("other").is_err());
    assert!(record.app_versions().unwrap()[1].superseded);

    // A key takes the place of another one only with its consent, and signs everything anew.
    let text = new.public().to_string();
    assert!(record.set_code_key(&text, "").is_err());
    assert!(record.set_code_key(&text, &new.sign(text.trim().as_bytes()).unwrap()).is_err());
    record.set_code_key(&text, &old.sign(text.trim().as_bytes()).unwrap()).unwrap();
    assert_eq!(record.code_keys().unwrap()[0].public, text);
    assert_eq!(record.app_versions().unwrap()[1].signature, "");
    assert!(record.sign_app_version(&first.file, &first.signature).is_err());
    record.sign_app_version(&first.file, &new.sign(&first.bytes).unwrap()).unwrap();
    assert_ne!(record.app_versions().unwrap()[1].signature, "");
}
