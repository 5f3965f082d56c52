//! MTD(f) (Plaat, Schaeffer, Pijls and de Bruin 1996): null windows close in on the value from a
//! first guess; the table keeps what one learns for the next.

use evaluation::Proofs;
use game::{Game, Value};

use crate::bounds::Depth;
use crate::classic::Classic;

impl<G: Game, H: Proofs<G>> Classic<'_, G, H> {
    /// The value of the root.
    pub(crate) fn by_mtdf(&mut self, depth: Depth, guess: Value) -> Value {
        let (mut lower, mut upper) = (-Value::INFINITY, Value::INFINITY);
        let (mut lower_guesses, mut upper_guesses) = (0, 0);
        let mut value = guess;
        while lower < upper && !self.cx.expired() {
            let beta = if value == lower { value.succ() } else { value };
            self.cx.guesses = 0;
            self.cx.line.look_back();
            value = self.alpha_beta::<false>(depth, 0, beta.pred(), beta);
            if value < beta {
                (upper, upper_guesses) = (value, self.cx.guesses);
            } else {
                (lower, lower_guesses) = (value, self.cx.guesses);
            }
        }
        self.cx.guesses = lower_guesses + upper_guesses;
        value
    }
}
