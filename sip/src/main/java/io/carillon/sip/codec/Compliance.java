package io.carillon.sip.codec;

import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;

/** A set of tolerated {@link Violation}s. Immutable and thread safe. */
public final class Compliance {
    /** Nothing is tolerated. */
    public static final Compliance STRICT = new Compliance(EnumSet.noneOf(Violation.class));

    /** What old and careless peers do and what cannot be misread. */
    public static final Compliance DEFAULT =
            new Compliance(
                    EnumSet.complementOf(
                            EnumSet.of(Violation.CONTROL_CHARACTER, Violation.EMPTY_LINE_MISSING)));

    /** Everything that has a name. */
    public static final Compliance LENIENT = new Compliance(EnumSet.allOf(Violation.class));

    private final EnumSet<Violation> tolerated;

    private Compliance(EnumSet<Violation> tolerated) {
        this.tolerated = tolerated;
    }

    /** Exactly these are tolerated. */
    public static Compliance of(Collection<Violation> tolerated) {
        EnumSet<Violation> set = EnumSet.noneOf(Violation.class);
        set.addAll(tolerated);
        return new Compliance(set);
    }

    public boolean tolerates(Violation violation) {
        return tolerated.contains(violation);
    }

    /** The tolerated violations. */
    public Set<Violation> tolerated() {
        return EnumSet.copyOf(tolerated);
    }

    public Compliance with(Violation violation) {
        EnumSet<Violation> set = EnumSet.copyOf(tolerated);
        set.add(violation);
        return new Compliance(set);
    }

    public Compliance without(Violation violation) {
        EnumSet<Violation> set = EnumSet.copyOf(tolerated);
        set.remove(violation);
        return new Compliance(set);
    }
}
