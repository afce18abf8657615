package io.carillon.web;

import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * Asks for a password and prints it as {@code carillon.web.accounts.NAME.password} wants it. It
 * reads from the terminal without showing what is typed, or a line of the standard input.
 */
public final class EncodePassword {
    private EncodePassword() {}

    /** Takes no arguments: other users of the machine see those. */
    public static void main(String[] arguments) throws IOException {
        Optional<Console> terminal =
                Optional.ofNullable(System.console()).filter(Console::isTerminal);
        char[] password = terminal.isPresent() ? terminal.get().readPassword("Password: ") : line();
        if (password == null || password.length == 0) {
            System.err.println("No password was given.");
            System.exit(1);
            return;
        }
        try {
            System.out.println(Passwords.encode(CharBuffer.wrap(password)));
        } finally {
            Arrays.fill(password, '\0');
        }
    }

    private static char[] line() throws IOException {
        StringBuilder line = new StringBuilder();
        InputStreamReader in = new InputStreamReader(System.in, StandardCharsets.UTF_8);
        for (int c = in.read(); c >= 0 && c != '\n' && c != '\r'; c = in.read()) {
            line.append((char) c);
        }
        return line.toString().toCharArray();
    }
}
