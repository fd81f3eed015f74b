/** V8 flags of a process that runs the service. */
export const SERVICE_FLAGS: readonly string[]
