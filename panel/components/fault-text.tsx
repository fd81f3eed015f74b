import { faultWords } from '../words/faults.ts'

/**
 * Why the service refused something, in the reader's language. A sentence without a translation is marked as English.
 */
export function FaultText({ reason }: { reason: string }) {
  const said = faultWords(reason)
  return (
    <span lang={said === reason ? 'en' : undefined} dir="auto">
      {said}
    </span>
  )
}
