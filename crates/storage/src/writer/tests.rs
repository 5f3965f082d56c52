use std::collections::HashSet;
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

use super::*;

/// The text of a file that was written by somebody: so many times their letter, and how often.
fn whole(letter: char, length: usize) -> Vec<u8> {
    format!("{length} {}\n", letter.to_string().repeat(length)).into_bytes()
}

fn is_whole(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let Some((length, rest)) = text.trim_end_matches('\n').split_once(' ') else { return false };
    let first = rest.chars().next();
    length.parse() == Ok(rest.len()) && rest.chars().all(|c| Some(c) == first)
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn no_two_files_share_a_name_while_they_are_written() {
    let folder = tempfile::tempdir().unwrap();
    // Files whose names differ only after the last dot, and the same file twice.
    let files = ["a.one", "a.two", "a", "b.one", "a.one"].map(|name| folder.path().join(name));
    let made: Vec<NewFile> = files.iter().map(|file| NewFile::create(file).unwrap()).collect();
    let beside: HashSet<&Path> = made.iter().map(|new| &*new.beside).collect();
    assert_eq!(beside.len(), files.len());
    assert_eq!(names_in(folder.path()).len(), files.len());
    for (number, new) in made.into_iter().enumerate() {
        new.finish(&whole('x', number)).unwrap();
    }
    assert_eq!(names_in(folder.path()), ["a", "a.one", "a.two", "b.one"]);
    assert_eq!(fs::read(&files[0]).unwrap(), whole('x', 4), "the last one has written it");
    assert_eq!(fs::read(&files[1]).unwrap(), whole('x', 1));
}

/// However many write the same file and others, whoever reads finds one of them as a whole.
#[test]
fn a_reader_never_sees_half_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let shared = folder.path().join("shared");
    write(&shared, &whole('x', 1)).unwrap();
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let mut read = 0;
            while !done.load(Ordering::Relaxed) {
                let bytes = fs::read(&shared).unwrap();
                assert!(is_whole(&bytes), "{} bytes", bytes.len());
                read += 1;
            }
            read
        });
        let writers = ('a'..='f').map(|letter| {
            let (shared, own) = (&shared, folder.path().join(letter.to_string()));
            scope.spawn(move || {
                for round in 0..50 {
                    let length = 1 + round * 1_000;
                    write(shared, &whole(letter, length)).unwrap();
                    write(&own, &whole(letter, length)).unwrap();
                    assert_eq!(fs::read(&own).unwrap(), whole(letter, length));
                }
            })
        });
        let writers: Vec<_> = writers.collect();
        let ended: Vec<_> = writers.into_iter().map(thread::ScopedJoinHandle::join).collect();
        done.store(true, Ordering::Relaxed);
        assert!(ended.iter().all(Result::is_ok));
        assert!(reader.join().unwrap() > 0);
    });
    assert_eq!(names_in(folder.path()), ["a", "b", "c", "d", "e", "f", "shared"]);
}

/// A file is forced to the disk before it gets its name, and the name after it; whatever fails, the
/// old file is whole, nothing is left beside it, and the error says where and what.
#[test]
fn each_step_is_taken_in_its_order_and_may_fail() {
    use WriteStep::{Move, Sync, SyncFolder, Write};
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file\u{1b}");
    for bad in [Some(Write), Some(Sync), Some(Move), Some(SyncFolder), None] {
        write(&file, b"old").unwrap();
        let mut steps = Vec::new();
        let new = NewFile::create(&file).unwrap();
        let beside = new.beside.clone();
        let result = new.finish_unless(b"new", &mut |step| {
            let moved = fs::read(&file).unwrap() == b"new";
            assert_eq!(moved, step == SyncFolder);
            assert_eq!(beside.exists(), !moved);
            steps.push(step);
            let trouble = || io::Error::from(io::ErrorKind::StorageFull);
            if Some(step) == bad { Err(trouble()) } else { Ok(()) }
        });
        let all = [Write, Sync, Move, SyncFolder];
        let taken = bad.map_or(4, |bad| 1 + all.iter().position(|&step| step == bad).unwrap());
        assert_eq!(steps, all[..taken]);
        match bad {
            None => result.unwrap(),
            Some(bad) => {
                let error = result.unwrap_err();
                assert_eq!((&error.path, error.step), (&file, bad));
                let line = error.to_string();
                assert!(line.starts_with("cannot write "), "{line}");
                assert!(line.contains(&format!(r"file\u{{1b}}: {}: ", bad.failure())), "{line}");
                assert!(line.ends_with(&error.error.to_string()), "{line}");
            }
        }
        let moved = bad.is_none_or(|bad| bad == SyncFolder);
        assert_eq!(fs::read(&file).unwrap(), if moved { b"new" } else { b"old" });
        assert_eq!(names_in(folder.path()).len(), 1);
    }
}

#[test]
fn what_cannot_be_written_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    write(&path("file"), b"").unwrap();
    fs::create_dir(path("folder")).unwrap();
    for (file, step) in [
        (path("none/file"), WriteStep::Create),
        (path("file/file"), WriteStep::Create),
        (path("folder"), WriteStep::Move),
        (path("folder/.."), WriteStep::Move),
        (PathBuf::from("/"), WriteStep::Move),
    ] {
        let error = write(&file, b"x").unwrap_err();
        assert_eq!((&error.path, error.step), (&file, step), "{error}");
    }
    let error = write_in_new_folder(&path("file/folder/file"), b"x").unwrap_err();
    assert_eq!(error.step, WriteStep::MakeFolder, "{error}");
    write_in_new_folder(&path("new/er/file"), b"x").unwrap();
    assert_eq!(fs::read(path("new/er/file")).unwrap(), b"x");
    let error = move_into_place(&path("none"), &path("other")).unwrap_err();
    assert_eq!((error.path, error.step), (path("other"), WriteStep::Sync));
    move_into_place(&path("new/er/file"), &path("other")).unwrap();
    assert_eq!(names_in(folder.path()), ["file", "folder", "new", "other"]);
    assert_eq!(names_in(&path("new/er")).len(), 0);
}

#[cfg(unix)]
#[test]
fn permissions_are_as_they_should_be() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let mode = |file: &Path| fs::metadata(file).unwrap().permissions().mode() & 0o777;
    let own = folder.path().join("own/list");
    write_private(&own, b"1").unwrap();
    write_private(&own, b"2").unwrap();
    assert_eq!((mode(&folder.path().join("own")), mode(&own)), (0o700, 0o600));
    let file = folder.path().join("file");
    write(&file, b"").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    let new = NewFile::create(&file).unwrap();
    new.keep_permissions().unwrap();
    new.finish(b"kept").unwrap();
    assert_eq!(mode(&file), 0o640);
    let new = NewFile::create(&own).unwrap();
    new.keep_permissions().unwrap();
    new.make_executable().unwrap();
    new.finish(b"run").unwrap();
    assert_eq!(mode(&own), 0o700);
}

/// The name of another process that was killed, and whose number this one got: it is passed over.
#[test]
fn a_name_that_is_taken_is_passed_over() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    let next = |new: &NewFile| {
        let name = new.beside.file_name().unwrap().to_string_lossy().into_owned();
        let number = name.rsplit_once('-').unwrap().1.strip_suffix(".part").unwrap();
        number.parse::<u64>().unwrap() + 1
    };
    let now = next(&NewFile::create(&file).unwrap());
    let taken = |number| format!(".zermelo-{}-{number}.part", std::process::id());
    // Other tests give names meanwhile.
    for number in now..now + 1000 {
        fs::write(folder.path().join(taken(number)), "left over").unwrap();
    }
    write(&file, b"whole").unwrap();
    assert_eq!(fs::read(&file).unwrap(), b"whole");
    assert_eq!(names_in(folder.path()).len(), 1001, "what others left is theirs");
}

const VICTIM: &str = "ZERMELO_STORAGE_VICTIM";

/// Killed at any moment, a program leaves a whole file; and what it leaves beside it hinders
/// nobody.
#[test]
fn a_killed_process_leaves_a_whole_file() {
    if let Some(file) = std::env::var_os(VICTIM) {
        // Until it is killed; not for ever, should whoever was to do that be gone.
        let began = Instant::now();
        while began.elapsed() < Duration::from_secs(60) {
            write(Path::new(&file), &whole('v', 200_000)).unwrap();
        }
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    let name = "writer::tests::a_killed_process_leaves_a_whole_file";
    for round in 0..8 {
        drop(fs::remove_file(&file));
        let mut victim = Command::new(std::env::current_exe().unwrap())
            .args([name, "--exact"])
            .env(VICTIM, &file)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        while !file.exists() {
            assert!(victim.try_wait().unwrap().is_none());
            thread::sleep(Duration::from_millis(1));
        }
        thread::sleep(Duration::from_millis(round * 3));
        victim.kill().unwrap();
        victim.wait().unwrap();
        assert!(is_whole(&fs::read(&file).unwrap()));
        write(&file, &whole('w', 3)).unwrap();
        assert_eq!(fs::read(&file).unwrap(), whole('w', 3));
    }
    // One at most for each that was killed.
    assert!(names_in(folder.path()).len() <= 9);
}
