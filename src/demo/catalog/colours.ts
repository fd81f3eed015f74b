import { type Language, type Wording, t } from './wording.ts'

/**
 * The Polish gender of a noun; `p` is the plural of things. A Polish colour agrees with it; a German one follows the noun
 * undeclined.
 */
export type Gender = 'm' | 'f' | 'n' | 'p'

export const COLOURS = {
  black: t('Black', 'schwarz', 'czarny'),
  white: t('White', 'weiß', 'biały'),
  cream: t('Cream', 'cremeweiß', 'kremowy'),
  'light grey': t('Light Grey', 'hellgrau', 'jasnoszary'),
  anthracite: t('Anthracite', 'anthrazit', 'antracytowy'),
  silver: t('Silver', 'silberfarben', 'srebrny'),
  copper: t('Copper', 'kupferfarben', 'miedziany'),
  brass: t('Brass', 'messingfarben', 'mosiężny'),
  navy: t('Navy', 'marineblau', 'granatowy'),
  'sky blue': t('Sky Blue', 'himmelblau', 'błękitny'),
  petrol: t('Petrol Blue', 'petrolblau', 'morski'),
  'forest green': t('Forest Green', 'waldgrün', 'ciemnozielony'),
  olive: t('Olive', 'olivgrün', 'oliwkowy'),
  sage: t('Sage', 'salbeigrün', 'szałwiowy'),
  mint: t('Mint', 'mintgrün', 'miętowy'),
  red: t('Red', 'rot', 'czerwony'),
  burgundy: t('Burgundy', 'bordeauxrot', 'bordowy'),
  orange: t('Orange', 'orange', 'pomarańczowy'),
  terracotta: t('Terracotta', 'terrakottafarben', 'ceglasty'),
  mustard: t('Mustard', 'senfgelb', 'musztardowy'),
  'dusty pink': t('Dusty Pink', 'altrosa', 'pudroworóżowy'),
  sand: t('Sand', 'sandfarben', 'piaskowy'),
  brown: t('Brown', 'braun', 'brązowy'),
  natural: t('Natural', 'naturfarben', 'naturalny'),
} satisfies Record<string, Wording>

/** The token of a colour, as the attribute `color` has it. */
export type Colour = keyof typeof COLOURS

/** The colour as it is written with a noun. All Polish colours here are adjectives in `-y` or `-ki`, hence these endings. */
export function colourOf(colour: Colour, language: Language, gender: Gender): string {
  const word = COLOURS[colour][language]
  if (language !== 'pl' || gender === 'm') return word
  if (gender === 'f') return `${word.slice(0, -1)}a`
  return word.endsWith('i') ? `${word}e` : `${word.slice(0, -1)}e`
}
