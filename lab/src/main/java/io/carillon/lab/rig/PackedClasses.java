package io.carillon.lab.rig;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Archives of applications that are classes of ours, as a user would pack them. */
public final class PackedClasses {
    private PackedClasses() {}

    /**
     * Writes one.
     *
     * @param descriptor its sip.xml
     * @return the archive
     */
    public static Path war(Path archive, String descriptor, List<Class<?>> classes)
            throws IOException {
        return named(archive, descriptor, classes.stream().<String>map(Class::getName).toList());
    }

    /**
     * The same of classes that this process cannot load, as they stand on an interface that only
     * the server has.
     */
    public static Path named(Path archive, String descriptor, List<String> classes)
            throws IOException {
        try (OutputStream file = Files.newOutputStream(archive);
                ZipOutputStream zip = new ZipOutputStream(file)) {
            put(zip, "WEB-INF/sip.xml", descriptor.getBytes(StandardCharsets.UTF_8));
            for (String type : classes) {
                String path = type.replace('.', '/') + ".class";
                try (InputStream in =
                        PackedClasses.class.getClassLoader().getResourceAsStream(path)) {
                    if (in == null) {
                        throw new IOException("the class file " + path + " is missing");
                    }
                    put(zip, "WEB-INF/classes/" + path, in.readAllBytes());
                }
            }
        }
        return archive;
    }

    private static void put(ZipOutputStream zip, String name, byte[] bytes) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(bytes);
        zip.closeEntry();
    }
}
