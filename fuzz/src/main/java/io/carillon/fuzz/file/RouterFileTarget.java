package io.carillon.fuzz.file;

import io.carillon.servlet.route.DarFile;
import io.carillon.servlet.route.RouterException;
import java.nio.charset.StandardCharsets;

/** A router file is read, or refused with file, line and rule. */
public final class RouterFileTarget {
    private RouterFileTarget() {}

    /** One input. */
    public static void fuzzerTestOneInput(byte[] data) {
        try {
            DarFile.parse("router.properties", new String(data, StandardCharsets.UTF_8));
        } catch (RouterException refused) {
            if (!String.valueOf(refused.getMessage()).startsWith("router.properties")) {
                throw new IllegalStateException("no file: " + refused.getMessage());
            }
        }
    }
}
