//! The program `zermelo`.

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
