/** Whether an endpoint counts as healthy only because nothing has been delivered yet. */
export const isUntried = ({ state, last_delivered_at: at }: { state: string; last_delivered_at: string | null }) =>
  state === 'healthy' && at === null
