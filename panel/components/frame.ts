import { createContext } from 'react'

/** Whether what is shown is a page inside the navigation's frame, which has the landmark `main` already. */
export const InFrame = createContext(false)
