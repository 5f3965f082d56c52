//! What a probe of the table costs by its size: `cargo bench -p search --bench probes -- 1024 16384`, in megabytes.

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
        let mut table = Table::new(megabytes);
        println!("{megabytes:>6} MB  {:.1} ns a probe", table.time_probes(PROBES));
    }
}
