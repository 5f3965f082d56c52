/** How finely bodies are made. */

export interface Fineness {
  /** Sides of what is turned. */
  segments: number;
  /** The size of a carver's cuts. */
  cell: number;
}
export const FINE: Fineness = { segments: 56, cell: 0.0155 };
export const COARSE: Fineness = { segments: 26, cell: 0.03 };
/** For pictures that move on a slow machine. */
export const ROUGH: Fineness = { segments: 14, cell: 0.05 };
