//! What a probe of the table costs by its size: `cargo bench -p zermelo-search --bench probes -- 1024 16384`, in megabytes.

#![allow(clippy::print_stdout)]

use std::fs;
use std::time::Instant;

use search::Table;

const PROBES: u64 = 5_000_000;

fn main() {
    let given: Vec<usize> = std::env::args().filter_map(|word| word.parse().ok()).collect();
    let sizes = if given.is_empty() { vec![64, 256, 1024] } else { given };
    for megabytes in sizes {
        if !Table::fits(megabytes) {
            println!("{megabytes:>6} MB  there is no such memory");
            continue;
        }
        let table = Table::new(megabytes);
        table.fill();
        let (began, before) = (Instant::now(), processor_time());
        table.probe(PROBES);
        let wall = began.elapsed().as_nanos() as u64;
        let spent = before.zip(processor_time()).map_or(wall, |(before, after)| after - before);
        println!("{megabytes:>6} MB  {:.1} ns a probe", spent as f64 / PROBES as f64);
    }
}

/// Nanoseconds that this thread had a processor, where Linux tells: others may be at work too.
fn processor_time() -> Option<u64> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok()
}
