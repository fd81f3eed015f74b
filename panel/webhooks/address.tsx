import classes from './address.module.css'

/** A URL as one reads it: the host stands out. Untrusted, so it is text and no link. */
export function Address({ url }: { url: string }) {
  const [, scheme = '', host = url, rest = ''] = /^(https?:\/\/)([^/?#]+)(.*)$/.exec(url) ?? []
  return (
    <span className={classes.address} title={url} dir="ltr">
      <span className={classes.quiet}>{scheme}</span>
      <span className={classes.host}>{host}</span>
      <span className={classes.quiet}>{rest}</span>
    </span>
  )
}
