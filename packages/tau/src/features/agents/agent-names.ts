// Names of agents: two words that can be read, remembered and typed. Within one conversation no two have
// the same; an agent's children carry its name before theirs.

/** What the user's own session is called among agents. */
export const MAIN = "Main";

const FIRST =
  `Able Agile Amber Ample Apt Avid Bold Brave Brisk Bright Calm Candid Civil Clear Clever Coral
Cosmic Crisp Deft Eager Early Fair Fleet Fond Frank Fresh Gentle Golden Grand Happy Hardy Honest Humble Ideal
Ivory Jolly Keen Kind Lively Loyal Lucid Lunar Mellow Merry Mild Modest Neat Nimble Noble Olive Open Patient
Plucky Polite Prime Proud Quick Quiet Rapid Ready Regal Rosy Sage Sharp Silent Silver Sleek Smart Snug Solar
Solid Spry Steady Stoic Sunny Swift Tidy Trim True Upbeat Vivid Warm Wise Witty Zesty`.split(/\s+/);
const SECOND =
  `Acorn Alder Ant Aspen Badger Bay Bear Beaver Birch Bison Brook Canyon Cedar Cliff Cloud Comet
Condor Coral Cove Crane Creek Crow Delta Dove Dune Eagle Elk Elm Falcon Fern Finch Fjord Fox Gale Glade Goose
Grove Harbor Hare Hawk Hazel Heath Heron Hill Ibis Iris Isle Jay Kestrel Kite Lake Lark Lily Lynx Maple Marsh
Meadow Mesa Mole Moon Moose Moss Newt Oak Orca Osprey Otter Owl Panda Pebble Petrel Pine Plover Pond Quail
Raven Reef Ridge River Robin Sage Seal Shore Sparrow Spruce Stag Stone Stork Swan Thrush Tiger Trout Vale Wave
Willow Wolf Wren`.split(/\s+/);

/** Of the names that people and models give, what every file system and address takes. */
const PLAIN = /[^A-Za-z0-9_-]+/g;
export const MAX_NAME_CHARACTERS = 48;
/** After so many tries by chance a number tells two of the same name apart. */
const MAX_TRIES = 20;

export class AgentNames {
  readonly #taken = new Set<string>([MAIN.toLowerCase(), "all", "user"]);
  readonly #random: () => number;

  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  /** One that was there before. */
  take(id: string): void {
    this.#taken.add(id.toLowerCase());
  }

  /** `wanted`: as somebody asked for it; cleaned, and numbered if it is taken. */
  allocate(parent: string | undefined, wanted?: string): string {
    const prefix = parent === undefined ? "" : `${parent}.`;
    const given = wanted
      ?.replace(PLAIN, "-")
      .replace(/^-+|-+$/g, "")
      .slice(0, MAX_NAME_CHARACTERS);
    if (given) return this.#free(prefix, given);
    for (let tried = 0; tried < MAX_TRIES; tried++) {
      const id = prefix + this.#pair();
      if (this.#taken.has(id.toLowerCase())) continue;
      this.take(id);
      return id;
    }
    return this.#free(prefix, this.#pair());
  }

  #free(prefix: string, name: string): string {
    let id = prefix + name;
    for (let count = 2; this.#taken.has(id.toLowerCase()); count++)
      id = `${prefix}${name}-${count}`;
    this.take(id);
    return id;
  }

  #pair(): string {
    const of = (list: readonly string[]): string => list[Math.floor(this.#random() * list.length)]!;
    return of(FIRST) + of(SECOND);
  }
}
