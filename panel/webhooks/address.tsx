import classes from './address.module.css'

/** A URL with its host emphasized. It is untrusted, so it is shown as text and not as a link. */
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
