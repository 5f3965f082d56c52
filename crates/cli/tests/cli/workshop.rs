//! How engines are built: what can be overwritten, what nobody outside can change, and what is said
//! if it fails.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::support::{Ran, command, speak, zermelo};

/// Where all tests build engines.
const CACHE: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/cache");
const NAME: &str = "mnk-3x3-k3-p1-q1-more";

/// An empty folder of this name.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("workshop tests ♞").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn generating(arguments: &[&str], out: &Path) -> Command {
    let mut command = command();
    command.env("ZERMELO_CACHE", CACHE).arg("generate").args(arguments).arg("--out").arg(out);
    command
}

fn generate(arguments: &[&str], out: &Path) -> Ran {
    speak(&mut generating(arguments, out), b"")
}

fn mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// What is there stays, unless it is the same or somebody says so; and links lead nowhere.
#[test]
fn nothing_is_overwritten_by_accident() {
    let out = folder("overwritten");
    let (engine, victim) = (out.join(NAME), out.join("victim"));
    fs::write(&victim, "precious").unwrap();
    symlink(&victim, out.join(".zermelo-part")).unwrap();
    fs::write(&engine, "somebody's").unwrap();
    let ran = generate(&["mnk:3x3,k=3"], &out);
    assert_eq!((ran.code, ran.err.lines().count()), (Some(2), 1), "{ran:?}");
    assert!(ran.err.contains("--force"), "{}", ran.err);
    assert_eq!(fs::read_to_string(&engine).unwrap(), "somebody's");
    let ran = generate(&["mnk:3x3,k=3", "--force"], &out);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let built = fs::metadata(&engine).unwrap();
    assert!(built.len() > 100_000 && built.permissions().mode() & 0o100 != 0);
    // The same again is no accident; a link in its place is replaced and not followed.
    assert_eq!(generate(&["mnk:3x3,k=3", "--keep-source"], &out).code, Some(0));
    assert_eq!(generate(&["mnk:3x3,k=3", "--keep-source"], &out).code, Some(0));
    fs::remove_file(&engine).unwrap();
    symlink(&victim, &engine).unwrap();
    assert_eq!(generate(&["mnk:3x3,k=3"], &out).code, Some(2));
    assert_eq!(generate(&["mnk:3x3,k=3", "--force"], &out).code, Some(0));
    assert!(fs::symlink_metadata(&engine).unwrap().is_file());
    assert_eq!(fs::read_to_string(&victim).unwrap(), "precious");
    let mut names: Vec<_> = fs::read_dir(&out).unwrap().map(|e| e.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, [".zermelo-part", NAME, &format!("{NAME}.src"), "victim"]);
    // What is written whole elsewhere follows no link, either.
    let certificate = out.join("proof");
    symlink(&victim, out.join("proof.part")).unwrap();
    let ran = zermelo(&["solve", "mnk:2x2,k=2", "--certificate", certificate.to_str().unwrap()]);
    assert!(ran.code == Some(0) && certificate.is_file(), "{ran:?}");
    assert_eq!(fs::read_to_string(&victim).unwrap(), "precious");
}

/// No configuration that lies about, and nothing in the environment, changes what is built.
#[test]
fn nothing_outside_changes_an_engine() {
    let out = folder("config");
    let config = Path::new(CACHE).join(".cargo");
    fs::create_dir_all(&config).unwrap();
    let text = "[build]\nrustc-wrapper = '/nowhere'\nrustflags = ['--cfg', '(']\n[profile.release]\nopt-level = 0\n";
    fs::write(config.join("config.toml"), text).unwrap();
    fs::write(Path::new(CACHE).join("rust-toolchain.toml"), "[toolchain]\nchannel = 'none'\n")
        .unwrap();
    let mut command = generating(&["mnk:3x4,k=3", "--measure"], &out);
    for name in ["RUSTC_WRAPPER", "CARGO_BUILD_RUSTC", "RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS"] {
        command.env(name, "/nowhere");
    }
    let ran = speak(&mut command, b"");
    fs::remove_dir_all(config).unwrap();
    fs::remove_file(Path::new(CACHE).join("rust-toolchain.toml")).unwrap();
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

#[test]
fn a_cache_that_others_can_write_is_refused() {
    let out = folder("open");
    let cache = out.join("cache");
    let generate = |cache: &Path| {
        let mut command = generating(&["mnk:3x3,k=3"], &out);
        speak(command.env("ZERMELO_CACHE", cache), b"")
    };
    for (open, above, cache) in [
        (0o777, 0o755, cache.clone()),
        (0o770, 0o755, cache.clone()),
        (0o755, 0o777, cache.join("own")),
    ] {
        fs::create_dir_all(&cache).unwrap();
        mode(&cache, open);
        mode(cache.parent().unwrap(), above);
        let ran = generate(&cache);
        assert_eq!((ran.code, ran.err.lines().count()), (Some(2), 1), "{ran:?}");
        assert!(ran.err.contains("others can write"), "{}", ran.err);
        assert_eq!(fs::read_dir(&out).unwrap().count(), 1, "nothing was built");
    }
}

#[test]
fn what_the_compiler_says_is_shown() {
    let out = folder("refused");
    let arguments = ["mnk:3x3,k=3", "--flags", "-C nonsense=1 --cfg a"];
    let ran = generate(&arguments, &out);
    assert_eq!((ran.code, ran.err.lines().count()), (Some(2), 1), "{ran:?}");
    assert!(ran.err.contains("unknown codegen option: `nonsense`"), "{}", ran.err);
    let ran = generate(&[&arguments[..], &["-v"]].concat(), &out);
    assert!(ran.err.lines().filter(|line| line.contains("nonsense")).count() >= 2, "{}", ran.err);
}

#[test]
fn a_batch_names_all_its_bad_lines() {
    let out = folder("batch");
    let batch = out.join("batch");
    fs::write(&batch, "\u{feff}gomoku\r\nfoo\r\n\r\nmnk:5x5\r\nbar\r\n").unwrap();
    let ran = generate(&["--batch", batch.to_str().unwrap()], &out);
    let lines: Vec<&str> = ran.err.lines().collect();
    assert_eq!((ran.code, lines.len()), (Some(2), 3), "{ran:?}");
    for (line, number) in lines.iter().zip([2, 4, 5]) {
        assert!(line.contains(&format!("line {number}: ")), "{line}");
    }
    let ran = generate(&["gomoku", "--ai", "foo"], &out);
    for name in ["master", "random", "adjacent", "threats", "alphabeta", "montecarlo"] {
        assert!(ran.err.contains(name), "{name}: {}", ran.err);
    }
    let ran = generate(&["chess", "--ai", "adjacent"], &out);
    assert_eq!((ran.code, ran.err.lines().count()), (Some(2), 1), "{ran:?}");
}

/// What an engine says of itself without being spoken to.
#[test]
fn generated_engines_explain_themselves() {
    let out = folder("help");
    assert_eq!(generate(&["mnk:3x3,k=3"], &out).code, Some(0));
    let run = |arguments: &[&str], input: &str| {
        speak(Command::new(out.join(NAME)).args(arguments), input.as_bytes())
    };
    for (ran, said) in [
        (run(&["--help"], ""), "makemove X Y"),
        (run(&["-h"], ""), "plays mnk:3x3,k=3"),
        (run(&["--version"], ""), NAME),
        (run(&[], "help\n"), "makemove X Y"),
        (run(&[], "info\nhelp\nquit\n"), "makemove X Y"),
        (run(&[], "help\nSTART 3\nEND\n"), "OK"),
    ] {
        assert!(ran.code == Some(0) && ran.out.contains(said), "{said}: {ran:?}");
    }
    let ran = run(&["--nonsense"], "");
    assert_eq!((ran.code, ran.err.lines().count()), (Some(2), 1), "{ran:?}");
    // The dialogue by which the protocol was first described; then a script, answered as if typed.
    let asked = "info\nnewgame black human white human\nmakemove 1 1\nmakemove 1 1\ngetplayer\nmakemove 1 2\n\
                 makemove 2 1\nmakemove 2 2\nmakemove 3 1\nquit\n";
    let answered = "(3,3,3,1,1) K_OR_MORE_TO_WIN\ngame started\nmove black 1 1\ninvalid move\nwhite\nmove white 1 2\n\
                    move black 2 1\nmove white 2 2\nmove black 3 1\nwinner is black\nwining line is from 3 1 to 1 1\n\
                    (3,3,3,1,1)GameEngine has exited\n";
    assert_eq!(run(&[], asked).out, answered);
}

/// Whether a process was started to compile this engine.
fn is_compiled(name: &str) -> bool {
    let source = format!("engines/{name}.rs");
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let lines = processes.filter_map(|process| fs::read(process.path().join("cmdline")).ok());
    lines.into_iter().any(|line| String::from_utf8_lossy(&line).contains(&source))
}

/// A compiler does not outlive whoever started it.
#[cfg(target_os = "linux")]
#[test]
fn the_compiler_ends_with_the_program() {
    let out = folder("ended");
    // The parts that all engines share are there then.
    assert_eq!(generate(&["mnk:3x3,k=3"], &out).code, Some(0));
    let eventually = |what: &str, is_so: &dyn Fn() -> bool| {
        let so = (0..4000).any(|_| {
            is_so() || {
                std::thread::sleep(Duration::from_millis(25));
                false
            }
        });
        assert!(so, "{what}");
    };
    let name = "mnk-5x9-k4-p1-q2-more";
    let mut command = generating(&["mnk:5x9,k=4,q=2", "--measure"], &out);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    eventually("the compiler is called", &|| is_compiled(name));
    let sent = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
    child.wait().unwrap();
    eventually("the compiler is gone", &|| !is_compiled(name));
    assert!(!out.join(name).exists());
}
