package io.carillon.lab.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Someone who registers. */
record RegisteredUser(String name, String password) {

    /**
     * Reads {@code name:password}.
     *
     * @throws IllegalArgumentException with a sentence when it is something else
     */
    static RegisteredUser parse(String text) {
        int colon = text.indexOf(':');
        String name = colon < 0 ? "" : text.substring(0, colon);
        if (!name.matches("[A-Za-z0-9_.!~*'()&=+$,;?/-]+")) {
            throw new IllegalArgumentException(
                    "a user is name:password, the name as in a SIP URI, not " + text);
        }
        return new RegisteredUser(name, text.substring(colon + 1));
    }

    /**
     * Reads a file of {@code name:password} lines; empty ones and those that begin with # are left
     * out.
     *
     * @throws IllegalArgumentException with file and line when one is something else
     */
    static List<RegisteredUser> file(Path file) throws IOException {
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (NoSuchFileException e) {
            throw new IOException("there is no file " + file, e);
        }
        List<RegisteredUser> users = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            try {
                users.add(parse(line));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        file + ", line " + (i + 1) + ": " + e.getMessage(), e);
            }
        }
        if (users.isEmpty()) {
            throw new IllegalArgumentException("there is no user in " + file);
        }
        return users;
    }
}
