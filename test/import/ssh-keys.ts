const text = (value: string | Buffer): Buffer => {
  const bytes = Buffer.from(value)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}

const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** A private key in OpenSSH's format whose header states an encryption with this many rounds; it has no content. */
export function keyOfRounds(rounds: number, kdf = 'bcrypt'): string {
  const bytes = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    text('aes256-ctr'),
    text(kdf),
    text(Buffer.concat([text(Buffer.alloc(16, 1)), number(rounds)])),
    number(1),
    text(Buffer.concat([text('ssh-ed25519'), text(Buffer.alloc(32))])),
    text(Buffer.alloc(160)),
  ])
  return `-----BEGIN OPENSSH PRIVATE KEY-----\n${bytes.toString('base64')}\n-----END OPENSSH PRIVATE KEY-----`
}
