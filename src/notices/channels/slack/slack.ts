import type { NoticeMessage } from '../../message.ts'
import type { Channel } from '../channel.ts'

// An incoming webhook of Slack. Mattermost accepts the same, and so does Discord under /slack; both show `text` and ignore `blocks`.

/** Discord refuses texts of more than 2,000 characters. */
const TEXT_LENGTH_MAX = 1_900
const HEADER_LENGTH_MAX = 150

export const SLACK: Channel = {
  request(message) {
    return {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: textOf(message), blocks: blocksOf(message) }),
    }
  },
  // these mean that the URL is wrong or revoked, or the channel archived
  refusals: [400, 401, 403, 404, 405, 410],
}

const linkOf = ({ link, linkName }: NoticeMessage) => (link === null ? '' : `<${escaped(link)}|${escaped(linkName)}>`)

function textOf(message: NoticeMessage): string {
  const link = linkOf(message)
  const head = `*${escaped(message.subject, 300)}*\n`
  return `${head}${escaped(message.text.trim(), TEXT_LENGTH_MAX - head.length - link.length - 1)}\n${link}`.trim()
}

function blocksOf(message: NoticeMessage): object[] {
  const link = linkOf(message)
  return [
    { type: 'header', text: { type: 'plain_text', text: escaped(message.subject, HEADER_LENGTH_MAX), emoji: false } },
    { type: 'section', text: { type: 'mrkdwn', text: escaped(message.text.trim(), TEXT_LENGTH_MAX), verbatim: true } },
    ...(link === '' ? [] : [{ type: 'section', text: { type: 'mrkdwn', text: link } }]),
  ]
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Text in which Slack finds no link, mention or entity. If it is too long, it is cut between characters. */
export function escaped(text: string, lengthMax = Number.POSITIVE_INFINITY): string {
  let whole = ''
  for (const character of text.toWellFormed()) {
    const next = ENTITIES[character] ?? character
    if (whole.length + next.length > lengthMax - 1) return `${whole}…`
    whole += next
  }
  return whole
}
