/** V8's flags of a process that runs the service. */
export const SERVICE_FLAGS: readonly string[]
