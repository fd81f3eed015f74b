import type { Mapping, Source } from '../mapping/mapping.ts'
import { EAN, optional, type Preset } from './preset-parts.ts'

// Catalogs for procurement systems, and Icecat's descriptions of articles.

const first = (...columns: string[]): Source => ({ first: columns.map(optional) })

/**
 * A catalog in Ariba's format (CIF 2.1 or 3.0), whose head names its columns. Prices are the buyer's, for one unit. A row without a currency gets
 * that of the head.
 */
const CIF: Mapping = {
  format: 'cif',
  locale: 'en',
  fields: {
    sku: { join: [optional('Supplier Part ID'), optional('Supplier Part Auxiliary ID')], with: '/' },
    cost: optional('Unit Price'),
    currency: optional('Currency'),
    title: first('Short Name', 'Item Description'),
    description: optional('Item Description'),
    manufacturer: optional('Manufacturer Name'),
    mpn: optional('Manufacturer Part ID'),
    images: [optional('Image'), optional('Thumbnail')],
    list_price: optional('Market Price'),
    delivery_time: { column: 'Lead Time', optional: true, capture: '^[1-9]\\d*$', suffix: ' days' },
    attributes: [
      { key: 'unit', first: [optional('Unit of Measure'), optional('Units of Measure')] },
      { key: 'UNSPSC', first: [optional('SPSC Code'), optional('Classification Codes')] },
    ],
  },
  skip: [{ column: 'Delete', optional: true, in: ['T', 'TRUE', 'True', 'true', 'Y', 'Yes', '1'] }],
}

/** A cXML catalog (`Index`). Prices are the buyer's. Articles that it deletes are ignored. */
const CXML: Mapping = {
  format: 'xml',
  items: 'Index.IndexItem.IndexItemAdd',
  locale: 'en',
  fields: {
    sku: { join: ['ItemID.SupplierPartID', optional('ItemID.SupplierPartAuxiliaryID')], with: '/' },
    cost: 'ItemDetail.UnitPrice.Money',
    currency: optional('ItemDetail.UnitPrice.Money.@currency'),
    title: { first: [optional('ItemDetail.Description.ShortName'), optional('ItemDetail.Description')] },
    description: optional('ItemDetail.Description'),
    manufacturer: optional('ItemDetail.ManufacturerName'),
    mpn: optional('ItemDetail.ManufacturerPartID'),
    delivery_time: { column: 'IndexItemDetail.LeadTime', optional: true, capture: '^[1-9]\\d*$', suffix: ' days' },
    attributes: [
      { key: 'unit', column: 'ItemDetail.UnitOfMeasure', optional: true },
      { key: 'UNSPSC', column: 'ItemDetail.Classification', optional: true },
      { list: 'IndexItemDetail.Extrinsic', name: '@name', value: '#text' },
    ],
  },
}

/**
 * Icecat's descriptions of one or more articles (`Product`). It has no prices and no stock: existing offers keep theirs, and new ones have none. The
 * language is that of the file.
 */
const ICECAT: Mapping = {
  format: 'xml',
  items: 'ICECAT-interface.Product',
  locale: 'en',
  fields: {
    sku: '@Prod_id',
    ean: { column: 'EANCode.@EAN', optional: true, capture: EAN },
    title: { first: [optional('@Title'), '@Name'] },
    description: {
      first: [optional('ProductDescription.@LongDesc'), optional('SummaryDescription.LongSummaryDescription')],
    },
    manufacturer: optional('Supplier.@Name'),
    category: { column: 'Category.Name.@Value', optional: true, take: 0 },
    mpn: '@Prod_id',
    images: [optional('@HighPic'), optional('ProductGallery.ProductPicture.@Pic')],
    attributes: [{ list: 'ProductFeature', name: 'Feature.Name.@Value', value: '@Presentation_Value' }],
  },
}

/** Ready mappings for suppliers' catalogs for procurement systems. */
export const PROCUREMENT_PRESETS = {
  cif: { mapping: CIF, requires: [], title: 'CIF', signs: [], sellingPrices: [], vat: 'excluded' },
  cxml: {
    mapping: CXML,
    requires: [],
    title: 'cXML',
    signs: ['ItemID', 'ItemDetail'],
    holds: ['<Index', '<IndexItemAdd>'],
    sellingPrices: [],
    vat: 'excluded',
  },
  icecat: {
    mapping: ICECAT,
    requires: [],
    title: 'Icecat',
    signs: ['@Prod_id', 'Supplier', 'Category'],
    holds: ['<ICECAT-interface', '<Product ', 'Prod_id='],
    sellingPrices: [],
    vat: 'unknown',
  },
} satisfies Record<string, Preset>
