package io.carillon.servlet.check;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What of the SIP Servlet API is not there yet, in one place: the resource {@value #LIST}. A member
 * in that list throws {@link #member}; a test compares the list with the compiled classes and with
 * docs/reference/sip-servlet-api.md, so neither can promise more than the code does.
 *
 * <p>One member per line, {@code Type.member(ParameterTypes) | reason}; a whole type is {@code Type
 * | reason}. Stateless; any thread.
 */
public final class Unsupported {
    public static final String LIST = "unsupported-members.txt";

    private Unsupported() {}

    /**
     * The exception a missing member throws. The argument must be a literal, for the test reads it
     * from the class file.
     *
     * @param member as in the list, for example {@code SipFactory.createAuthInfo()}
     */
    public static UnsupportedOperationException member(String member) {
        return new UnsupportedOperationException(
                member
                        + " is not part of this version; docs/reference/sip-servlet-api.md lists what is missing");
    }

    /** The list: member or type, and the reason. Order of the file. */
    public static Map<String, String> list() {
        Map<String, String> members = new LinkedHashMap<>();
        InputStream in = Unsupported.class.getResourceAsStream(LIST);
        if (in == null) {
            throw new IllegalStateException("resource " + LIST + " is missing");
        }
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                if (line.isBlank() || line.startsWith("#")) {
                    continue;
                }
                int bar = line.indexOf('|');
                if (bar < 0) {
                    throw new IllegalStateException(LIST + ": no reason given for " + line);
                }
                members.put(line.substring(0, bar).strip(), line.substring(bar + 1).strip());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return members;
    }
}
