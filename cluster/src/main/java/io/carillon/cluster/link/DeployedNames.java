package io.carillon.cluster.link;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Which applications a node has, as marks of their names, so that each HELLO has room for them.
 * Immutable.
 */
public final class DeployedNames {
    /** Of a node that does not say: of a build from before, or with too many for a HELLO. */
    public static final DeployedNames UNKNOWN = new DeployedNames(null);

    static final int MARK_BYTES = 4;

    /** The length of a field is one byte. */
    static final int MOST = 0xFF / MARK_BYTES;

    private final @Nullable Set<Integer> marks;

    private DeployedNames(@Nullable Set<Integer> marks) {
        this.marks = marks;
    }

    /** Of a node that has these, and no others. */
    public static DeployedNames of(Collection<String> names) {
        Set<Integer> marks = new TreeSet<>();
        names.forEach(name -> marks.add(mark(name)));
        return marks.size() > MOST ? UNKNOWN : new DeployedNames(marks);
    }

    /** Is it known that the node does not have that one? */
    public boolean lacks(String name) {
        return marks != null && !marks.contains(mark(name));
    }

    private static int mark(String name) {
        CRC32C sum = new CRC32C();
        sum.update(name.getBytes(StandardCharsets.UTF_8));
        return (int) sum.getValue();
    }

    /** Writes the field of that number; nothing where it is not known. */
    void write(FrameWriter frame, int field) {
        if (marks == null) {
            return;
        }
        frame.putByte(field).putByte(marks.size() * MARK_BYTES);
        for (int mark : marks) {
            frame.putShort(mark >>> 16).putShort(mark & 0xFFFF);
        }
    }

    /** Reads the content of such a field. */
    static DeployedNames read(byte[] b, int from, int length) {
        if (length % MARK_BYTES != 0) {
            return UNKNOWN;
        }
        Set<Integer> marks = new TreeSet<>();
        for (int at = from; at < from + length; at += MARK_BYTES) {
            marks.add(
                    FrameFormat.unsignedShort(b, at) << 16 | FrameFormat.unsignedShort(b, at + 2));
        }
        return new DeployedNames(marks);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof DeployedNames names && Objects.equals(marks, names.marks);
    }

    @Override
    public int hashCode() {
        return Objects.hashCode(marks);
    }

    @Override
    public String toString() {
        return marks == null ? "unknown" : marks.size() + " applications";
    }
}
