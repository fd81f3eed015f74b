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
      description: `Largest ${what} in pixels; the picture keeps its proportions and is never enlarged. Available sizes are ${IMAGE_SIZES.join(', ')}; other numbers are rounded up to the next of these.`,
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
    'A picture of a product. Its URL contains the hash of its bytes, so that the picture never changes and can be cached for ever. With `w`, `h` or `format` the picture is reduced or converted; it then has at most 2,000 pixels in width and height, and of an animation only the first frame. `fit` gives it exact proportions. An SVG is always returned unchanged.',
  params: { file: PathKey('File name: hash and extension, as in the picture URLs of products.') },
  query: {
    w: Size('width', 'width'),
    h: Size('height', 'height'),
    fit: Type.Optional(
      Type.Unsafe<ImageFit>({
        type: 'string',
        enum: [...IMAGE_FITS],
        description:
          'How the picture is fitted into `w` and `h`. inside (default): as large as possible within `w` and `h`; pad: exactly `w` by `h`, with a border that is white if the picture or the answer is a JPEG, else transparent; crop: the middle of the picture, in the proportions of `w` to `h`. If only one of `w` and `h` is given, pad and crop make a square.',
        'x-also': ['mode', 'crop', 'square'],
      }),
    ),
    format: Type.Optional(
      Type.Unsafe<(typeof IMAGE_FORMATS)[number] | 'auto'>({
        type: 'string',
        enum: [...IMAGE_FORMATS, 'auto'],
        description:
          'Type to which the picture is converted; by default its own type, or PNG for a GIF. auto: AVIF or WebP if the header Accept names it, else PNG for a PNG or a GIF, and JPEG for others; the answer then has `Vary: Accept`.',
        'x-also': ['type', 'ext'],
      }),
    ),
  },
  answersHead: true,
  answers: {
    200: { description: 'The picture.', headers: [...HEADERS, 'Accept-Ranges'], content: BYTES },
    206: {
      description: 'The part of the picture that the header Range requests.',
      headers: [...HEADERS, 'Accept-Ranges', 'Content-Range'],
      content: BYTES,
    },
    304: {
      description: 'The picture has the ETag that was sent as If-None-Match; there is no body.',
      headers: HEADERS,
    },
  },
  headers: [
    {
      name: 'Accept',
      description:
        'With format=auto: media types that the client accepts; image/avif and image/webp are used if they are named.',
    },
    {
      name: 'If-None-Match',
      description: 'ETag of an earlier answer. The answer is then 304, because pictures never change.',
    },
    { name: 'Range', description: 'Part of the picture to return: bytes=FIRST-LAST, bytes=FIRST- or bytes=-COUNT.' },
    {
      name: 'If-Range',
      description:
        'ETag of the picture of which Range requests a part; if the picture has another ETag, it is returned as a whole.',
    },
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
    url: Type.String({ description: 'URL of the picture, for the list of pictures of an offer or a product.' }),
    hash: Type.String({ description: 'SHA-256 of the bytes, in hexadecimal.' }),
    type: Type.String({ description: 'Media type, detected from the content.' }),
    width: Type.Integer({ description: 'Width in pixels, as the picture is shown.' }),
    height: Type.Integer({ description: 'Height in pixels, as the picture is shown.' }),
    bytes: Type.Integer({ description: 'Size of the file in bytes.' }),
  },
  { $id: 'UploadedImage', description: 'A picture that was added.' },
)

export const UPLOAD_IMAGE = writeRoute({
  id: 'uploadImage',
  method: 'post',
  path: '/v1/account/images',
  tag: 'images',
  summary: 'Add a picture',
  description:
    'Stores a picture of your own: JPEG, PNG, GIF, WebP, AVIF, or an SVG that only draws (no scripts, links, animations or references to other files), of at most 25 MB and 50 megapixels (AVIF: 25 megapixels). Send the file itself with its media type, or send a form with the only field `file`. The same file always gets the same URL. A picture that no product has used for 30 days is removed.',
  upload: {
    // the file, plus the overhead of a multipart form
    bytesMax: 25_065_536,
    content: {
      'image/*': binary('The file of the picture.'),
      'multipart/form-data': Type.Object({ file: binary('The file of the picture.') }, { additionalProperties: false }),
    },
  },
  answer: { data: UploadedImage },
  returns: 'The picture with its URL.',
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
    'Makes the copies of suppliers’ pictures your own (adopts them): they are not fetched again, and products keep them even if their source no longer exists. Send the URL of one picture, a supplier, or `all`; with a supplier or `all`, the pictures are adopted whose source could not be fetched since the day before yesterday or longer (`pictures_failing` of the findings). Products and stores do not change.',
  body: {
    noun: 'adoption',
    schema: Type.Object(
      {
        image: Type.Optional(Type.String({ description: 'URL of one picture, as offers or products have it.' })),
        supplier: Type.Optional(Type.String({ description: 'Code of the supplier whose offers have the pictures.' })),
        all: Type.Optional(
          Type.Literal(true, {
            description:
              'true: all pictures whose source could not be fetched since the day before yesterday or longer.',
            'x-must': 'must be true, or left out',
          }),
        ),
      },
      { additionalProperties: false, description: 'Exactly one of image, supplier and all.' },
    ),
  },
  answer: {
    data: Type.Object(
      {
        adopted: Type.Integer({ description: 'Number of pictures that were adopted.' }),
        is_more: Type.Boolean({
          description: 'Whether there may be more pictures to adopt: if so, send the request again.',
        }),
      },
      { $id: 'AdoptedImages', description: 'Result of keeping copies of pictures.' },
    ),
  },
  returns: 'Number of pictures that were adopted, at most 10,000.',
  statuses: [200],
  problems: ['unknown-supplier'],
})

export const IMAGE_ROUTES = [IMAGE] as const
