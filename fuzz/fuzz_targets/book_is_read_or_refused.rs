#![no_main]

use arena::Book;

// What is read is written such that it reads the same; what is refused is refused in one line.
libfuzzer_sys::fuzz_target!(|text: &str| match Book::read(text) {
    Ok(book) => assert_eq!(Book::read(&book.write()), Ok(book)),
    Err(error) => assert_eq!(error.to_string().lines().count(), 1),
});
