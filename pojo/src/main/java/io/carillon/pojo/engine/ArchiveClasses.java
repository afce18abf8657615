package io.carillon.pojo.engine;

import io.carillon.pojo.SipHandler;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.util.Set;
import java.util.TreeSet;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;

/** Looks for handler classes in WEB-INF/classes of an archive; loads none of them. Stateless. */
public final class ArchiveClasses {
    private static final String CLASSES = "/WEB-INF/classes/";
    private static final String ANNOTATION = SipHandler.class.descriptorString();

    private ArchiveClasses() {}

    /**
     * Names of the classes annotated {@link SipHandler}, sorted.
     *
     * @throws ServletException when the archive cannot be read
     */
    public static Set<String> handlers(ServletContext context) throws ServletException {
        Set<String> names = new TreeSet<>();
        try {
            scan(context, CLASSES, names);
        } catch (IOException e) {
            throw new ServletException("the classes cannot be read: " + e.getMessage(), e);
        }
        return names;
    }

    private static void scan(ServletContext context, String folder, Set<String> names)
            throws IOException {
        Set<String> paths = context.getResourcePaths(folder);
        if (paths == null) {
            return;
        }
        for (String path : paths) {
            if (path.endsWith("/")) {
                scan(context, path, names);
            } else if (path.endsWith(".class")) {
                try (InputStream in = context.getResourceAsStream(path)) {
                    if (in != null && isAnnotated(in.readAllBytes())) {
                        names.add(
                                path.substring(CLASSES.length(), path.length() - 6)
                                        .replace('/', '.'));
                    }
                }
            }
        }
    }

    private static boolean isAnnotated(byte[] bytes) {
        return ClassFile.of()
                .parse(bytes)
                .findAttribute(Attributes.runtimeVisibleAnnotations())
                .map(found ->
                        found.annotations().stream()
                                .anyMatch(a -> a.className().equalsString(ANNOTATION)))
                .orElse(false);
    }
}
