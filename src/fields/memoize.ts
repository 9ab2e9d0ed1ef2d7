/** Remembers what a function made for an object, or for a name of it, as long as the object lives. */
export function memoize<K extends object, V>(make: (key: K, name: string) => V): (key: K, name?: string) => V {
  const cache = new WeakMap<K, Map<string, V>>()
  return (key, name = '') => {
    const made = cache.get(key) ?? new Map<string, V>()
    cache.set(key, made)
    const value = made.get(name) ?? make(key, name)
    made.set(name, value)
    return value
  }
}
