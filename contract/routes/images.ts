import Type from 'typebox'
import { PathKey } from '../parameters.ts'
import { operatorRoute, writeRoute } from '../route.ts'

// Pictures: how they are served, outside /v1 and without a token, and how an account's owner adds pictures.

/**
 * Sizes in pixels to which pictures can be reduced. The set is fixed so that a client cannot request thousands of sizes
 * of a picture.
 */
export const IMAGE_SIZES = [
  64, 96, 128, 160, 200, 240, 320, 400, 480, 600, 640, 800, 1_000, 1_200, 1_600, 2_000,
] as const
/** The largest of them. A picture that is only converted is reduced to at most this width and height, too. */
export const IMAGE_SIZE_MAX = 2_000
/** Types to which pictures can be converted. */
export const IMAGE_FORMATS = ['jpeg', 'png', 'webp', 'avif'] as const
/** How a picture is fitted into its width and height. */
export const IMAGE_FITS = ['inside', 'pad', 'crop'] as const
export type ImageFit = (typeof IMAGE_FITS)[number]

const Size = (what: string, also: string) =>
  Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: IMAGE_SIZE_MAX,
      description: `${what} in pixels at most; the picture keeps its proportions and is never enlarged. Made are ${IMAGE_SIZES.join(', ')}: another number is taken as the next larger of these.`,
      'x-also': [also],
    }),
  )

const binary = (description: string) => Type.String({ format: 'binary', description })
const HEADERS = ['ETag', 'Cache-Control', 'Access-Control-Allow-Origin', 'Vary'] as const
const BYTES = {
  'image/jpeg': binary('A JPEG.'),
  'image/png': binary('A PNG.'),
  'image/gif': binary('A GIF.'),
  'image/webp': binary('A WebP.'),
  'image/avif': binary('An AVIF.'),
  'image/svg+xml': binary('An SVG.'),
}

export const IMAGE = operatorRoute({
  id: 'image',
  path: '/images/{file}',
  summary: 'Read a picture',
  description:
    'A picture that a product names. Its address is made of its bytes, so what is under it never changes and may be cached for ever. With `w`, `h` or `format` it is made smaller or converted: the first frame of an animation, and at most 2,000 pixels wide and high. `fit` gives it exact proportions. An SVG has no size and is answered as it is.',
  params: { file: PathKey('Hash and ending, as in the list of pictures of a product.') },
  query: {
    w: Size('Width', 'width'),
    h: Size('Height', 'height'),
    fit: Type.Optional(
      Type.Unsafe<ImageFit>({
        type: 'string',
        enum: [...IMAGE_FITS],
        description:
          'How it is made to fit. inside, the default: as large as it can be within `w` and `h`. pad: exactly `w` by `h`, with a border that is white where the picture or the answer is a JPEG, else transparent. crop: the middle of it in the proportions of `w` to `h`. With one of `w` and `h`, pad and crop make a square.',
        'x-also': ['mode', 'crop', 'square'],
      }),
    ),
    format: Type.Optional(
      Type.Unsafe<(typeof IMAGE_FORMATS)[number] | 'auto'>({
        type: 'string',
        enum: [...IMAGE_FORMATS, 'auto'],
        description:
          'Type to convert to; its own when left out, PNG for a GIF. auto: AVIF or WebP where the header Accept names it, else PNG for a PNG or a GIF and JPEG for others; the answer has `Vary: Accept`.',
        'x-also': ['type', 'ext'],
      }),
    ),
  },
  answersHead: true,
  answers: {
    200: { description: 'The picture.', headers: [...HEADERS, 'Accept-Ranges'], content: BYTES },
    206: {
      description: 'The part of the picture that Range asks for.',
      headers: [...HEADERS, 'Accept-Ranges', 'Content-Range'],
      content: BYTES,
    },
    304: { description: 'It is what the ETag sent as If-None-Match names; there is no body.', headers: HEADERS },
  },
  headers: [
    { name: 'Accept', description: 'With format=auto: whether image/avif and image/webp are taken.' },
    { name: 'If-None-Match', description: 'ETag of an earlier answer: 304, because it has not changed.' },
    { name: 'Range', description: 'bytes=FIRST-LAST, FIRST- or -COUNT: a part of the picture.' },
    { name: 'If-Range', description: 'ETag of the picture that the part is to be of; another one is sent in whole.' },
  ],
  problems: [
    'bad-request',
    'invalid-parameters',
    'unknown-route',
    'range-not-satisfiable',
    'internal',
    'image-unavailable',
  ],
})

const UploadedImage = Type.Object(
  {
    url: Type.String({ description: 'What to put into the list of pictures of an offer or a product.' }),
    hash: Type.String({ description: 'SHA-256 of the bytes, in hexadecimal.' }),
    type: Type.String({ description: 'The media type, told by the content.' }),
    width: Type.Integer({ description: 'In pixels, as it is shown.' }),
    height: Type.Integer({ description: 'In pixels, as it is shown.' }),
    bytes: Type.Integer(),
  },
  { $id: 'UploadedImage' },
)

export const UPLOAD_IMAGE = writeRoute({
  id: 'uploadImage',
  method: 'post',
  path: '/v1/account/images',
  tag: 'images',
  summary: 'Add a picture',
  description:
    'Stores a picture of the account’s own: JPEG, PNG, GIF, WebP, AVIF, or an SVG that only draws, of at most 25 MB and 50 megapixels (an AVIF 25). Send the file itself with its type, or as the only field, `file`, of a form. The same file gets the same URL again. A picture that no product has named for 30 days is removed.',
  upload: {
    // the file, plus the overhead of a multipart form
    bytesMax: 25_065_536,
    content: {
      'image/*': binary('The file.'),
      'multipart/form-data': Type.Object({ file: binary('The file.') }, { additionalProperties: false }),
    },
  },
  answer: { data: UploadedImage },
  returns: 'The picture, with the URL to name it by.',
  statuses: [201],
  problems: ['image-unavailable'],
})

export const ADOPT_IMAGES = writeRoute({
  id: 'adoptImages',
  method: 'post',
  path: '/v1/account/images/adopt',
  tag: 'images',
  summary: 'Keep copies of pictures',
  description:
    'Makes our copies of suppliers’ pictures the account’s own: they are not fetched again, and are not left out when their source is dead. Name one picture by its URL, or all copies of a supplier’s pictures, or all copies, whose source has failed since the day before yesterday or longer (`pictures_failing` of the findings). Products and what stores show stay as they are.',
  body: {
    noun: 'adoption',
    schema: Type.Object(
      {
        image: Type.Optional(Type.String({ description: 'URL of a picture, as an offer or a product names it.' })),
        supplier: Type.Optional(Type.String({ description: 'Code of the supplier whose offers name the pictures.' })),
        all: Type.Optional(Type.Literal(true, { 'x-must': 'must be true, or left out' })),
      },
      { additionalProperties: false, description: 'Exactly one member.' },
    ),
  },
  answer: {
    data: Type.Object(
      {
        adopted: Type.Integer({ description: 'How many became the account’s own.' }),
        is_more: Type.Boolean({ description: 'Whether there may be more: send the request again.' }),
      },
      { $id: 'AdoptedImages' },
    ),
  },
  returns: 'How many were adopted, at most 10,000.',
  statuses: [200],
  problems: ['unknown-supplier'],
})

export const IMAGE_ROUTES = [IMAGE] as const
