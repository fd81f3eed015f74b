/** When a write becomes visible; part of every write's description. */
export const WRITES =
  'When the answer arrives, the change can be read and is in the change feed. If that would take longer than Prefer: wait=N (2 s by default), the answer has an Operation-Location header: the operation that shows the progress.'
