package io.carillon.fuzz.check;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Something that does not hold for some bytes. Thrown by a target; whoever runs it reports. */
public final class Finding extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public Finding(String what) {
        super(what);
    }

    /** Two things have to be equal. */
    public static void unlessEqual(String what, @Nullable Object one, @Nullable Object other) {
        if (!Objects.equals(one, other)) {
            throw new Finding(what + ": <" + one + "> and <" + other + ">");
        }
    }
}
