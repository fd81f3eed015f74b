import { useState, type ReactNode } from 'react'
import type { Column } from '../components/list.tsx'
import { ProductsIcon } from '../design/icons.tsx'
import classes from './product-line.module.css'
import { ProductName, type Named } from './product-name.tsx'

// A product in a list: a small picture, and its name.

/**
 * The shown sizes in pixels, each with the sizes at which our copies are requested for screens of double and triple density.
 */
const SIZES = { 28: [64, 96], 40: [96, 128], 72: [160, 240] } as const

const sized = (picture: string, edge: number) => `${picture}?w=${edge}&h=${edge}`

/**
 * A small picture beside a product's name, which is why it has no text of its own. Its place is reserved; an icon fills it while the
 * picture is loading, and if there is no copy of one. Pictures are never requested from suppliers' servers.
 */
export function ProductThumbnail({ picture, size = 28 }: { picture: string | null; size?: keyof typeof SIZES }) {
  const [loaded, setLoaded] = useState<string | null>(null)
  const [failed, setFailed] = useState<string | null>(null)
  const [twice, thrice] = SIZES[size]
  return (
    <span className={classes.frame} style={{ width: size, height: size }}>
      {picture !== null && loaded === picture ? null : <ProductsIcon size={size / 2} />}
      {picture === null || failed === picture ? null : (
        <img
          className={`${classes.picture} ${loaded === picture ? classes.isLoaded : ''}`}
          src={sized(picture, twice)}
          srcSet={`${sized(picture, twice)} 2x, ${sized(picture, thrice)} 3x`}
          width={size}
          height={size}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
          referrerPolicy="no-referrer"
          onLoad={() => setLoaded(picture)}
          onError={() => setFailed(picture)}
        />
      )}
    </span>
  )
}

/** A product in answers about several products. */
interface Pictured extends Named {
  picture: string | null
}

/** A row's product: its picture, and its name in one line. */
export function ProductLine({
  of,
  id,
  title,
  mark,
}: {
  of: Pictured
  id: number
  title?: string
  /** A remark about the product. */
  mark?: ReactNode
}): ReactNode {
  return (
    <span className={classes.line} title={title} data-pictured>
      <ProductThumbnail picture={of.picture} />
      <span className={classes.title}>
        <ProductName of={of} id={id} />
      </span>
      {mark === undefined ? null : <small className={classes.mark}>{mark}</small>}
    </span>
  )
}

/** The same for a product of which only the ID is known until its name is read. */
export function FoundLine({ id, found }: { id: number; found: Pictured | undefined }): ReactNode {
  return <ProductLine of={found ?? { title: `#${id}`, title_locale: null, sku: '', picture: null }} id={id} />
}

/**
 * A supplier's key of an article, with the name and picture of its product once they are read; their place is reserved. A new article
 * has no product yet.
 */
export function KeyAndName({ sku, id, found }: { sku: string; id: number | null; found: Pictured | undefined }) {
  if (id === null) return <span dir="auto">{sku}</span>
  return (
    <span className={classes.line} data-pictured>
      <ProductThumbnail picture={found?.picture ?? null} />
      <span className={classes.name}>
        <span dir="auto">{sku}</span>
        {found === undefined ? null : (
          <small className={classes.belowKey}>
            <ProductName of={found} id={id} />
          </small>
        )}
      </span>
    </span>
  )
}

/** The column that shows a row's product. */
export function productColumn<T extends Pictured & { product_id: number }>(
  title: string,
  words: (row: T) => string,
): Column<T> {
  return {
    id: 'title',
    title,
    sortBy: (row) => words(row).toLowerCase(),
    cell: (row) => <ProductLine of={row} id={row.product_id} title={words(row)} />,
  }
}
