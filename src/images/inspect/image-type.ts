/** The types of pictures that are mirrored and served, with the extensions of their URLs. */

const EXTENSIONS = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/svg+xml': 'svg',
} as const

/** The media type of a picture, recognized by its content. */
export type ImageType = keyof typeof EXTENSIONS

/** All types. */
export const IMAGE_TYPES = Object.keys(EXTENSIONS) as readonly ImageType[]

const TYPES = new Map<string, ImageType>(
  Object.entries(EXTENSIONS).map(([type, extension]) => [extension, type as ImageType]),
)

/** The extension of a picture's URL, without the dot. */
export const imageExtension = (type: ImageType): string => EXTENSIONS[type]

/** The type for an extension (without the dot). */
export const typeOfExtension = (extension: string): ImageType | undefined => TYPES.get(extension)

/** The path of a picture below the service's address. */
export const imagePath = (hash: string, type: ImageType): string => `/images/${hash}.${EXTENSIONS[type]}`
