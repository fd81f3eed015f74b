import type { ReactNode } from 'react'

// The panel's own icons: strokes on a grid of 24. They are always beside words that say the same, so screen readers skip them.

export interface IconProps {
  /** In pixels: 16 beside text of 14, 14 in small controls. */
  size?: number
  className?: string | undefined
}

/** A component for a drawing. */
export type Icon = (props: IconProps) => ReactNode

function drawn(strokes: ReactNode): Icon {
  return function DrawnIcon({ size = 16, className }) {
    return (
      <svg
        className={className}
        width={size}
        height={size}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        // the same stroke width on the screen at every size
        strokeWidth={(1.4 * 24) / size}
        strokeLinecap="round"
        strokeLinejoin="round"
        style={{ flex: 'none' }}
        focusable="false"
        aria-hidden="true"
      >
        {strokes}
      </svg>
    )
  }
}

// icons of controls

export const CheckIcon = drawn(<path d="M4.5 12.5 9.5 17.5 19.5 7" />)

export const CloseIcon = drawn(<path d="M6 6 18 18M18 6 6 18" />)

export const ChevronDownIcon = drawn(<path d="M6 9.5 12 15.5 18 9.5" />)

export const ChevronLeftIcon = drawn(<path d="M14.5 6 8.5 12 14.5 18" />)

export const ChevronRightIcon = drawn(<path d="M9.5 6 15.5 12 9.5 18" />)

export const ChevronsUpDownIcon = drawn(<path d="M7.5 9 12 4.5 16.5 9M7.5 15 12 19.5 16.5 15" />)

export const ArrowUpIcon = drawn(<path d="M12 20V4.5M5.5 11 12 4.5 18.5 11" />)

export const ArrowDownIcon = drawn(<path d="M12 4V19.5M5.5 13 12 19.5 18.5 13" />)

export const MoreIcon = drawn(<path strokeWidth="4" d="M4.5 12h.01M12 12h.01M19.5 12h.01" />)

export const GripIcon = drawn(<path strokeWidth="3.4" d="M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01" />)

export const CopyIcon = drawn(
  <>
    <rect x="9" y="9" width="11.5" height="11.5" rx="2.5" />
    <path d="M15 5.5A2 2 0 0 0 13 3.5H5.5A2 2 0 0 0 3.5 5.5V13A2 2 0 0 0 5.5 15" />
  </>,
)

export const SearchIcon = drawn(
  <>
    <circle cx="10.5" cy="10.5" r="6.5" />
    <path d="M15.5 15.5 20.5 20.5" />
  </>,
)

export const CircleIcon = drawn(<circle cx="12" cy="12" r="8.5" />)

export const CircleCheckIcon = drawn(
  <>
    <circle cx="12" cy="12" r="8.5" />
    <path d="M8 12.5 11 15.5 16.5 9.5" />
  </>,
)

export const SignOutIcon = drawn(
  <path d="M10 4H6.5A2.5 2.5 0 0 0 4 6.5V17.5A2.5 2.5 0 0 0 6.5 20H10M9.5 12H20.5M16.5 7.5 20.5 12 16.5 16.5" />,
)

/** The usual symbol of passkeys: a person with a key. */
export const PasskeyIcon = drawn(
  <>
    <circle cx="9" cy="7.5" r="3.5" />
    <path d="M2.5 20A6.5 6.5 0 0 1 12.5 14.5" />
    <circle cx="18" cy="12" r="2.5" />
    <path d="M18 14.5V21M18 18.5H20.5" />
  </>,
)

// icons of pages

export const OverviewIcon = drawn(<path d="M3.5 12.5H7.5L10 5.5 14 18.5 16.5 12.5H20.5" />)

export const ProductsIcon = drawn(
  <path d="M12 3.5 20 7.75V16.25L12 20.5 4 16.25V7.75ZM4.5 8 12 12 19.5 8M12 12V20.25M8 5.75 16 10" />,
)

export const SuppliersIcon = drawn(
  <>
    <path d="M3.5 6.5H14V16.5H3.5ZM14 10H17.5L20.5 13V16.5H14" />
    <circle cx="7.5" cy="18" r="2" />
    <circle cx="16.5" cy="18" r="2" />
  </>,
)

export const PricingIcon = drawn(
  <>
    <path d="M12.5 3.5H20.5V11.5L11.5 20.5 3.5 12.5Z" />
    <path strokeWidth="4" d="M16 8h.01" />
  </>,
)

export const StoresIcon = drawn(
  <path d="M4.5 11V20H19.5V11M3.5 9 5.5 4H18.5L20.5 9C20.5 12 16.5 12 16.3 9.3 16 12 12.3 12 12 9.3 11.7 12 8 12 7.7 9.3 7.5 12 3.5 12 3.5 9ZM10 20V15H14V20" />,
)

export const FindingsIcon = drawn(<path d="M12 4 21 19.5H3ZM12 10V14.5M12 17.2V17.3" />)

export const EndpointsIcon = drawn(
  <>
    <circle cx="5.5" cy="12" r="2.5" />
    <circle cx="18" cy="5.5" r="2.5" />
    <circle cx="18" cy="18.5" r="2.5" />
    <path d="M8 12H11.5M15.5 5.5A4 4 0 0 0 11.5 9.5V14.5A4 4 0 0 0 15.5 18.5" />
  </>,
)

export const DeliveriesIcon = drawn(<path d="M20.5 3.5 3.5 10 10.5 13.5 14 20.5ZM10.5 13.5 15 9" />)

export const NoticesIcon = drawn(
  <path d="M6 10A6 6 0 0 1 18 10C18 14.5 20 15.5 20 17H4C4 15.5 6 14.5 6 10ZM10 20.5H14" />,
)

export const KeyIcon = drawn(
  <>
    <circle cx="7.5" cy="16" r="4" />
    <path d="M10.5 13 19.5 4M15 8.5 18.5 12M18 5.5 20.5 8" />
  </>,
)

export const PeopleIcon = drawn(
  <>
    <circle cx="9" cy="8" r="3.5" />
    <path d="M2.5 20A6.5 6.5 0 0 1 15.5 20M15.5 4.75A3.5 3.5 0 0 1 15.5 11.25M18 14.5A6.5 6.5 0 0 1 21.5 20" />
  </>,
)

export const PersonIcon = drawn(
  <>
    <circle cx="12" cy="8" r="4" />
    <path d="M4.5 20.5A7.5 7.5 0 0 1 19.5 20.5" />
  </>,
)

export const AuditIcon = drawn(
  <path d="M6.5 3.5H17.5A2 2 0 0 1 19.5 5.5V20.5L16.5 18.5 14.25 20.5 12 18.5 9.75 20.5 7.5 18.5 4.5 20.5V5.5A2 2 0 0 1 6.5 3.5ZM8.5 8.5H15.5M8.5 13H15.5" />,
)

export const SettingsIcon = drawn(
  <>
    <circle cx="15" cy="7" r="2.5" />
    <circle cx="9" cy="17" r="2.5" />
    <path d="M3.5 7H12.5M17.5 7H20.5M3.5 17H6.5M11.5 17H20.5" />
  </>,
)
