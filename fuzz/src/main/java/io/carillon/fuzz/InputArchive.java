package io.carillon.fuzz;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Many inputs in one file: a tar archive (POSIX ustar), which {@code tar} lists and unpacks.
 *
 * <p>The same inputs give the same bytes, on any machine: sorted by name, of one time and no owner.
 * Nothing in it depends on what comes before, and nothing is compressed, which git does: of a new
 * version it keeps little more than the inputs that are new. A zip file repeats where each entry
 * lies, and cost ten times as much. Stateless.
 */
final class InputArchive {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");
    private static final int LONGEST_NAME = 99;
    private static final int BLOCK = 512;
    private static final int SIZE_AT = 124;
    private static final int SIZE_DIGITS = 11;
    private static final int CHECKSUM_AT = 148;
    private static final int TYPE_AT = 156;
    private static final int MAGIC_AT = 257;

    private InputArchive() {}

    /**
     * All that is in it, by name.
     *
     * @throws IOException when it is not as {@link #write} makes it
     */
    static SortedMap<String, byte[]> read(Path archive) throws IOException {
        SortedMap<String, byte[]> inputs = new TreeMap<>();
        try (InputStream in = new BufferedInputStream(Files.newInputStream(archive))) {
            for (byte[] head = block(in); head[0] != 0; head = block(in)) {
                String name = text(head, 0);
                if (head[TYPE_AT] != '0' || !NAME.matcher(name).matches()) {
                    throw new IOException(archive + ": no input is called " + name);
                }
                int size = Integer.parseInt(text(head, SIZE_AT), 8);
                byte[] input = in.readNBytes(size);
                in.skipNBytes(padding(size));
                if (input.length < size) {
                    throw new EOFException(archive + " ends within " + name);
                }
                if (inputs.put(name, input) != null) {
                    throw new IOException(archive + ": twice " + name);
                }
            }
        } catch (NumberFormatException e) {
            throw new IOException(archive + ": an input without a length", e);
        }
        return inputs;
    }

    private static byte[] block(InputStream in) throws IOException {
        byte[] block = in.readNBytes(BLOCK);
        if (block.length < BLOCK) {
            throw new EOFException("a tar archive ends early");
        }
        return block;
    }

    /** Up to the zero behind it. */
    private static String text(byte[] head, int from) {
        int to = from;
        while (to < head.length && head[to] != 0) {
            to++;
        }
        return new String(head, from, to - from, US_ASCII);
    }

    private static int padding(int size) {
        return (BLOCK - size % BLOCK) % BLOCK;
    }

    /**
     * Writes them, in the place of what is there; whoever reads meanwhile, or ends the process now,
     * finds the old ones or the new ones.
     */
    static void write(SortedMap<String, byte[]> inputs, Path archive) throws IOException {
        Path next = archive.resolveSibling(archive.getFileName() + ".new");
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(next))) {
            for (Map.Entry<String, byte[]> input : inputs.entrySet()) {
                if (input.getKey().length() > LONGEST_NAME) {
                    throw new IOException("too long a name: " + input.getKey());
                }
                int size = input.getValue().length;
                out.write(head(input.getKey(), size));
                out.write(input.getValue());
                out.write(new byte[padding(size)]);
            }
            out.write(new byte[2 * BLOCK]);
        }
        Files.move(
                next, archive, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    private static byte[] head(String name, int size) {
        byte[] head = new byte[BLOCK];
        put(head, 0, name);
        put(head, 100, "0000644");
        put(head, 108, "0000000");
        put(head, 116, "0000000");
        put(head, SIZE_AT, octal(size, SIZE_DIGITS));
        put(head, 136, octal(0, 11));
        put(head, CHECKSUM_AT, "        ");
        put(head, TYPE_AT, "0");
        put(head, MAGIC_AT, "ustar");
        put(head, MAGIC_AT + 6, "00");
        int sum = 0;
        for (byte each : head) {
            sum += each & 0xff;
        }
        put(head, CHECKSUM_AT, octal(sum, 6) + '\0');
        return head;
    }

    private static String octal(int value, int digits) {
        return String.format(Locale.ROOT, "%0" + digits + "o", value);
    }

    private static void put(byte[] head, int at, String text) {
        byte[] bytes = text.getBytes(US_ASCII);
        System.arraycopy(bytes, 0, head, at, bytes.length);
    }
}
