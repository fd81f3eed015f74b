import Type from 'typebox'
import { Text } from '../values.ts'
import { Time } from './route.ts'

/** An identity at the identity provider, as its own person sees it. */
export const LinkedIdentity = Type.Object({
  email: Type.Union([Text, Type.Null()], {
    description: 'E-mail address that the provider stated when the identity was linked, verified or not; null: none.',
  }),
  linked_at: Time('When the identity was linked.'),
  takes_over: Type.Boolean({
    description:
      'Whether the next sign-in at the provider removes the password, passkeys and codes and ends all other sessions: the provider has verified the e-mail address, which was never verified here.',
  }),
})
