// Names that people have chosen, in mails that we send to others: what somebody calls an account must not lead the reader anywhere.

const SUBJECT_NAME_LENGTH_MAX = 60

/** Control and bidirectional characters, and those that end a line. */
const oneLine = (text: string) => text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')

/** What mail programs make a link of: an address of a page or of a mailbox, or something with a dot, colon, slash or @ inside. */
const LINK = /[@\uFF20/\\\uFF0F]|:(?=\S)|[.\u3002\uFF0E\uFF61](?=[\p{L}\p{N}])/u

/** A name for a subject; null where it holds what could be taken for an address, or is long: the subject then goes without it. */
export function nameInSubject(name: string): string | null {
  const plain = oneLine(name).normalize('NFKC').trim()
  return plain === '' || plain.length > SUBJECT_NAME_LENGTH_MAX || LINK.test(plain) ? null : plain
}

/** A name for the text of a mail: what a mail program would make a link of is taken apart. */
export function nameInText(name: string): string {
  return oneLine(name)
    .normalize('NFKC')
    .replaceAll(new RegExp(LINK, 'gu'), (sign) => (sign === '@' ? ' at ' : `${sign} `))
    .trim()
}
