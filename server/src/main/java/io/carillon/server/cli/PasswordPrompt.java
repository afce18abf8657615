package io.carillon.server.cli;

import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A password from the prompt or standard input, never from the arguments, which every process of
 * the machine can see.
 */
final class PasswordPrompt {
    private PasswordPrompt() {}

    @SuppressWarnings("SystemConsoleNull") // says nothing of other runtimes than the JDK's
    static String read() throws IOException {
        Console console = System.console();
        if (console == null || !console.isTerminal()) {
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            String line = in.readLine();
            if (line == null) {
                throw new IOException("no password on standard input");
            }
            return line;
        }
        char[] first = console.readPassword("Password: ");
        char[] second = console.readPassword("Again: ");
        if (first == null || second == null || !Arrays.equals(first, second)) {
            throw new IOException("the passwords are not the same");
        }
        return new String(first);
    }
}
