import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'
import { decode, encode, RECURSION_AVAILABLE, RECURSION_DESIRED, type Answer } from 'dns-packet'

/**
 * The server's answer for a name: its addresses of both families (none: the name exists, but has no records), an error code,
 * or no answer at all.
 */
export type DnsAnswer = string[] | 'nxdomain' | 'servfail' | 'refused' | 'silent'

export interface DnsServer extends AsyncDisposable {
  /** `address:port`, as accepted by node:dns. */
  address: string
  /** Queries so far, such as `A example.test`. */
  questions: string[]
  /**
   * Sets the answer for a name. The answers of a sequence are used one after the other, each for one query per type, and then the
   * last one for all further queries. `perType` sets another answer for one type (`A` or `AAAA`).
   */
  set(name: string, answers: DnsAnswer | { sequence: DnsAnswer[] }, perType?: Partial<Record<string, DnsAnswer>>): void
}

const CODES = { nxdomain: 3, servfail: 2, refused: 5 } as const

/** Starts a real name server on UDP at 127.0.0.1. Names that were not set do not exist. */
export async function startDnsServer(): Promise<DnsServer> {
  const entries = new Map<
    string,
    { sequence: DnsAnswer[]; asked: Map<string, number>; perType: Partial<Record<string, DnsAnswer>> }
  >()
  const questions: string[] = []
  const socket = createSocket('udp4')

  const answerTo = (name: string, type: string): DnsAnswer => {
    const entry = entries.get(name.toLowerCase())
    if (entry === undefined) return 'nxdomain'
    const special = entry.perType[type]
    if (special !== undefined) return special
    const number = entry.asked.get(type) ?? 0
    entry.asked.set(type, number + 1)
    return entry.sequence[Math.min(number, entry.sequence.length - 1)] ?? []
  }

  socket.on('message', (message, from) => {
    const { id, questions: asked = [] } = decode(message)
    const [question] = asked
    if (question === undefined) return
    questions.push(`${question.type} ${question.name}`)
    const answer = answerTo(question.name, question.type)
    if (answer === 'silent') return
    const answers: Answer[] = []
    if (Array.isArray(answer)) {
      for (const data of answer) {
        const type = isIPv6(data) ? 'AAAA' : 'A'
        if (type === question.type) answers.push({ type, name: question.name, ttl: 0, class: 'IN', data })
      }
    }
    const code = Array.isArray(answer) ? 0 : CODES[answer]
    const flags = RECURSION_DESIRED | RECURSION_AVAILABLE | code
    socket.send(encode({ type: 'response', id, flags, questions: [question], answers }), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')

  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    set(name, answers, perType = {}) {
      const sequence = typeof answers === 'object' && 'sequence' in answers ? answers.sequence : [answers]
      entries.set(name.toLowerCase(), { sequence, asked: new Map(), perType })
    },
    async [Symbol.asyncDispose]() {
      const closed = once(socket, 'close')
      socket.close()
      await closed
    },
  }
}
