/** When a write becomes visible; part of every write's description. */
export const WRITES =
  'What it changes can be read, and is in the change feed, when the answer arrives; where that would take longer than Prefer: wait=N (2 s by default), Operation-Location names an operation that shows the progress.'
