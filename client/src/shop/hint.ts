import { verifyWebhook, WebhookRefused } from '../webhooks/verify.ts'

/** A shop's answer to a delivery. `isHint`: the shop should read the changes now. */
export interface HintAnswer {
  status: number
  body: { message?: string }
  isHint: boolean
}

/** Checks a delivery of Shelfwire's webhooks: 404 without secrets, 401 unless it is signed, else 200. @param connector the name of its package */
export async function answerHint(
  { body, headers, secrets }: Parameters<typeof verifyWebhook>[0],
  connector: string,
): Promise<HintAnswer> {
  if (secrets.length === 0) {
    const message = `the option webhookSecrets of ${connector} is not set`
    return { status: 404, body: { message }, isHint: false }
  }
  try {
    const { isTest } = await verifyWebhook({ body, headers, secrets })
    return { status: 200, body: {}, isHint: !isTest }
  } catch (error) {
    if (!(error instanceof WebhookRefused)) throw error
    return { status: 401, body: { message: error.message }, isHint: false }
  }
}
