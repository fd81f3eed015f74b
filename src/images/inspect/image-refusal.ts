/** The reason why a file is refused as a picture. */
export type ImageRefusal = 'not_an_image' | 'unreadable_image' | 'too_many_pixels' | 'too_large' | 'unsafe_svg'
