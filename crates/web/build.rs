//! Builds the page in `ui/` with npm, once for all profiles: below a folder of the target directory named by a
//! hash of what npm installs, in one named by a hash of all sources. Without Node the program is built without
//! a page, and says so. `ZERMELO_UI=skip` leaves the page out, `ZERMELO_UI=require` fails without it.

use std::env;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What npm installs depends on these alone.
const PACKAGE: [&str; 2] = ["package.json", "package-lock.json"];
/// And the page on these too.
const SOURCES: [&str; 5] = ["index.html", "vite.config.ts", "tsconfig.json", "src", "public"];

fn main() {
    println!("cargo::rerun-if-env-changed=ZERMELO_UI");
    println!("cargo::rerun-if-changed=build.rs");
    for name in PACKAGE.iter().chain(&SOURCES) {
        if Path::new("ui").join(name).exists() {
            println!("cargo::rerun-if-changed=ui/{name}");
        }
    }
    let wish = env::var("ZERMELO_UI").unwrap_or_default();
    let page = match &*wish {
        "skip" => None,
        "" | "require" => match build_page() {
            Ok(page) => Some(page),
            Err(why) if wish == "require" => panic!("the page cannot be built: {why}"),
            Err(why) => {
                println!("cargo::warning=the program is built without its page: {why}");
                // A file that is never there: the next build tries again.
                println!("cargo::rerun-if-changed=ui/not-yet");
                None
            }
        },
        other => panic!("ZERMELO_UI is skip or require, not {other}"),
    };
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let list = page.map(|folder| list_of(&folder)).unwrap_or_default();
    let code = format!("const ASSETS: &[Asset] = &[\n{list}];\n");
    fs::write(out.join("assets.rs"), code).expect("OUT_DIR can be written");
}

/// The folder of the finished page.
fn build_page() -> Result<PathBuf, String> {
    let ui = Path::new("ui");
    let packages = files_of(ui, &PACKAGE).map_err(|e| e.to_string())?;
    let sources = files_of(ui, &SOURCES).map_err(|e| e.to_string())?;
    let modules = target_folder()?.join("ui").join(hash_of(ui, &packages)?);
    let all: Vec<PathBuf> = packages.iter().chain(&sources).cloned().collect();
    let page = modules.join(format!("page-{}", hash_of(ui, &all)?));
    let dist = page.join("dist");
    if dist.join("index.html").exists() {
        return Ok(dist);
    }
    // Everything has another name until it is whole: two builds may be at it at once.
    let draft = modules.join(format!("draft-{}", std::process::id()));
    let installed = modules.join("node_modules");
    if !installed.exists() {
        let done = copy(ui, &packages, &draft)
            .map_err(|e| e.to_string())
            .and_then(|()| npm(&draft, &["ci", "--omit=dev", "--no-audit", "--no-fund"]))
            .and_then(|()| match fs::rename(draft.join("node_modules"), &installed) {
                Err(error) if !installed.exists() => {
                    Err(format!("{}: {error}", installed.display()))
                }
                _ => Ok(()),
            });
        let _ = fs::remove_dir_all(&draft);
        done?;
    }
    let built = copy(ui, &all, &draft)
        .map_err(|e| e.to_string())
        .and_then(|()| npm(&draft, &["run", "check"]))
        .and_then(|()| npm(&draft, &["run", "build"]))
        .and_then(|()| match fs::rename(&draft, &page) {
            Err(error) if !dist.exists() => Err(format!("{}: {error}", page.display())),
            _ => Ok(dist),
        });
    // What is left of it failed, or another build was quicker.
    let _ = fs::remove_dir_all(&draft);
    built
}

/// From `target/PROFILE/build/web-HASH/out`, or one folder deeper where a target was named.
fn target_folder() -> Result<PathBuf, String> {
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo did not set OUT_DIR")?);
    out.ancestors().nth(4).map(Path::to_owned).ok_or_else(|| "OUT_DIR is too short".to_owned())
}

/// All files of these names, folders opened, in order, as paths below `root`.
fn files_of(root: &Path, names: &[&str]) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for name in names {
        let path = root.join(name);
        if path.is_dir() {
            let mut inside: Vec<String> = fs::read_dir(&path)?
                .map(|entry| Ok(format!("{name}/{}", entry?.file_name().to_string_lossy())))
                .collect::<io::Result<_>>()?;
            inside.sort();
            let inside: Vec<&str> = inside.iter().map(String::as_str).collect();
            files.extend(files_of(root, &inside)?);
        } else if path.exists() {
            files.push(PathBuf::from(name));
        }
    }
    Ok(files)
}

fn hash_of(root: &Path, files: &[PathBuf]) -> Result<String, String> {
    let mut hasher = DefaultHasher::new();
    for file in files {
        let bytes = fs::read(root.join(file)).map_err(|e| format!("{}: {e}", file.display()))?;
        (file, bytes).hash(&mut hasher);
    }
    Ok(format!("{:016x}", hasher.finish()))
}

fn copy(from: &Path, files: &[PathBuf], to: &Path) -> io::Result<()> {
    for file in files {
        let target = to.join(file);
        target.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::copy(from.join(file), target)?;
    }
    Ok(())
}

fn npm(folder: &Path, arguments: &[&str]) -> Result<(), String> {
    let line = format!("npm {}", arguments.join(" "));
    let program = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let output = Command::new(program).args(arguments).current_dir(folder).output();
    let output =
        output.map_err(|e| format!("{line} did not start ({e}); Node.js 20 or newer is needed"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    let lines: Vec<&str> = said.lines().filter(|line| !line.trim().is_empty()).collect();
    Err(format!("{line} failed: {}", lines[lines.len().saturating_sub(12)..].join(" | ")))
}

/// Rust for the list of files, compressed ones beside what they were made from.
fn list_of(dist: &Path) -> String {
    let names: Vec<PathBuf> = files_of(
        dist,
        &[
            "index.html",
            "manifest.webmanifest",
            "assets",
            "icon.svg",
            "icon-192.png",
            "icon-512.png",
        ],
    )
    .expect("a built page can be read");
    let mut code = String::new();
    for name in names.iter().filter(|name| name.extension().is_none_or(|e| e != "gz")) {
        let path = dist.join(name);
        let beside = PathBuf::from(format!("{}.gz", path.display()));
        let gzip = match beside.exists() {
            true => format!("Some(include_bytes!({beside:?}))"),
            false => "None".to_owned(),
        };
        let name = name.to_string_lossy().replace('\\', "/");
        code += &format!(
            "    Asset {{ path: {name:?}, bytes: include_bytes!({path:?}), gzip: {gzip} }},\n"
        );
    }
    code
}
