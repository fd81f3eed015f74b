import { SaxesParser } from 'saxes'

/** One page of a bucket's listing (ListObjectsV2). */
export interface Listing {
  objects: { key: string; bytes: number; modifiedAt: Date }[]
  /** What the next page is asked for with; null at the end. */
  continuation: string | null
}

/** Reads the XML of a listing. @throws Error for anything else. */
export function readListing(xml: string): Listing {
  const parser = new SaxesParser()
  const objects: Listing['objects'] = []
  const path: string[] = []
  let values: Record<string, string> = {}
  let text = ''
  let continuation: string | null = null
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name }) => {
    path.push(name)
    text = ''
    if (name === 'Contents') values = {}
  })
  parser.on('text', (more) => (text += more))
  parser.on('closetag', ({ name }) => {
    path.pop()
    if (path.at(-1) === 'Contents') values[name] = text
    else if (name === 'NextContinuationToken') continuation = text
    else if (name === 'Contents') {
      const { Key: key = '', Size: size = '', LastModified: at = '' } = values
      objects.push({ key, bytes: Number(size), modifiedAt: new Date(at) })
    } else if (path.length === 0 && name !== 'ListBucketResult') throw new Error(`it is no listing, but ${name}`)
  })
  parser.write(xml).close()
  return { objects, continuation }
}
