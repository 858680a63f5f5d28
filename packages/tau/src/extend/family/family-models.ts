// The models that a session could use, as the family's code asks for them: at once, though they are read
// from many files. They are read when an extension whose code speaks of them is first called, and once
// for all extensions of a session.

import type { BroughtProvider } from "../../model/brought-providers.ts";
import type { ListedModel } from "../../model/choose-model.ts";
import type { Session } from "../../session/session.ts";

const known = new WeakMap<Session, FamilyModels>();

export class FamilyModels {
  readonly #session: Session;
  #list: readonly ListedModel[] | undefined;
  #reading: Promise<void> | undefined;

  private constructor(session: Session) {
    this.#session = session;
  }

  static of(session: Session): FamilyModels {
    const models = known.get(session) ?? new FamilyModels(session);
    known.set(session, models);
    return models;
  }

  /** Resolves when `list` has them all. */
  ready(): Promise<void> {
    return (this.#reading ??= this.refresh());
  }

  async refresh(): Promise<void> {
    this.#list = await this.#session.models?.list();
  }

  /** What could not be taken of it, in words. */
  async bring(id: string, provider: BroughtProvider): Promise<readonly string[]> {
    const { models } = this.#session;
    if (!models) return ["this session was given one model"];
    const problems = await models.bring(id, provider);
    await this.refresh();
    return problems;
  }

  /** Until they are read, the one in use. */
  get list(): readonly ListedModel[] {
    return this.#list ?? [{ model: this.#session.model, isAvailable: true }];
  }

  find(provider: string, id: string): ListedModel | undefined {
    const { model } = this.#session;
    if (model.provider === provider && model.id === id) return { model, isAvailable: true };
    return this.list.find((one) => one.model.provider === provider && one.model.id === id);
  }

  isAvailable(provider: string): boolean {
    if (this.#session.model.provider === provider) return true;
    return this.list.some((one) => one.model.provider === provider && one.isAvailable);
  }
}
