/** Whether nothing has failed because nothing has been delivered. */
export const isUntried = ({ state, last_delivered_at: at }: { state: string; last_delivered_at: string | null }) =>
  state === 'healthy' && at === null
