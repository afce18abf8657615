package io.carillon.servlet.app;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationElement;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.AttributedElement;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.reflect.AccessFlag;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * The annotations of the SIP Servlet API in the class files of an archive. No class is loaded: a
 * broken library, or one for another server, does no harm unless it is used.
 */
final class AnnotationScan {
    static final String KEY_RULE =
            "must be a public static String method with one parameter, SipServletRequest, of a public class";

    private static final String PACKAGE = "Ljavax/servlet/sip/annotation/";
    private static final byte[] MARK =
            "javax/servlet/sip/annotation/".getBytes(StandardCharsets.US_ASCII);

    /** Of Mobicents; read where the annotation's class is not there too. */
    private static final String CONCURRENCY =
            "Lorg/mobicents/servlet/sip/annotation/ConcurrencyControl;";

    private static final byte[] CONCURRENCY_MARK = CONCURRENCY.getBytes(StandardCharsets.US_ASCII);
    private static final String KEY_TYPE =
            "(Ljavax/servlet/sip/SipServletRequest;)Ljava/lang/String;";
    private static final int MAX_CLASS_BYTES = 16 << 20;

    /** Of all classes in all libraries, unpacked: one library may be made to unpack without end. */
    private static final long MAX_SCANNED_BYTES = 1L << 30;

    /**
     * One annotation.
     *
     * @param file class file, as messages call it
     * @param className class or package-info which has it
     * @param method the method which has it, or null
     * @param values of its elements: String, Integer or Boolean; elements left to their default are
     *     absent
     */
    record Found(
            String file, String className, @Nullable String method, Map<String, Object> values) {
        String text(String element) {
            return values.get(element) instanceof String text ? text.strip() : "";
        }

        int number(String element, int byDefault) {
            return values.get(element) instanceof Integer number ? number : byDefault;
        }

        /** Null where the annotation leaves its default. */
        @Nullable Integer given(String element) {
            return values.get(element) instanceof Integer number ? number : null;
        }

        boolean flag(String element) {
            return Boolean.TRUE.equals(values.get(element));
        }
    }

    private final String archive;
    private long scannedBytes;
    final List<Found> servlets = new ArrayList<>();
    final List<Found> listeners = new ArrayList<>();
    final List<Found> applications = new ArrayList<>();
    final List<Found> keys = new ArrayList<>();
    final List<Found> concurrency = new ArrayList<>();

    private AnnotationScan(String archive) {
        this.archive = archive;
    }

    /**
     * Scans {@code WEB-INF/classes}, then the jars of {@code WEB-INF/lib}, in the order of names.
     */
    static AnnotationScan of(String archive, Path root) throws DeploymentException {
        AnnotationScan scan = new AnnotationScan(archive);
        try {
            scan.folder(root.resolve("WEB-INF/classes"));
            for (Path jar : ApplicationClassLoader.libraries(root)) {
                scan.jar(jar);
            }
        } catch (IOException e) {
            throw new DeploymentException(
                    archive, 0, null, "cannot read the classes: " + e.getMessage(), e);
        }
        return scan;
    }

    private void folder(Path classes) throws IOException, DeploymentException {
        if (!Files.isDirectory(classes)) {
            return;
        }
        List<Path> files;
        try (Stream<Path> walk = Files.walk(classes)) {
            files = walk.filter(file -> file.toString().endsWith(".class")).sorted().toList();
        }
        for (Path file : files) {
            if (Files.size(file) <= MAX_CLASS_BYTES) {
                String name = classes.relativize(file).toString().replace('\\', '/');
                look(archive + "!/WEB-INF/classes/" + name, Files.readAllBytes(file));
            }
        }
    }

    private void jar(Path jar) throws IOException, DeploymentException {
        String label = archive + "!/WEB-INF/lib/" + jar.getFileName();
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            List<ZipEntry> classes = new ArrayList<>();
            Enumeration<? extends ZipEntry> entries = zip.entries();
            while (entries.hasMoreElements()) {
                ZipEntry entry = entries.nextElement();
                if (entry.getName().endsWith(".class")
                        && !entry.getName().startsWith("META-INF/")) {
                    classes.add(entry);
                }
            }
            Collections.sort(classes, (a, b) -> a.getName().compareTo(b.getName()));
            for (ZipEntry entry : classes) {
                try (InputStream in = zip.getInputStream(entry)) {
                    byte[] bytes = in.readNBytes(MAX_CLASS_BYTES);
                    scannedBytes += bytes.length;
                    if (scannedBytes > MAX_SCANNED_BYTES) {
                        throw new DeploymentException(
                                label,
                                "the classes of the libraries are larger than "
                                        + MAX_SCANNED_BYTES
                                        + " bytes");
                    }
                    look(label + "!/" + entry.getName(), bytes);
                }
            }
        } catch (IOException e) {
            throw new DeploymentException(label, 0, null, "broken archive: " + e.getMessage(), e);
        }
    }

    private void look(String file, byte[] bytes) throws DeploymentException {
        if (!mentions(bytes)) {
            return; // nearly every class of every library ends here, unparsed
        }
        try {
            ClassModel model = ClassFile.of().parse(bytes);
            String className = model.thisClass().asInternalName().replace('/', '.');
            for (Annotation annotation : annotations(model)) {
                add(annotation, new Found(file, className, null, values(annotation)));
            }
            for (MethodModel method : model.methods()) {
                for (Annotation annotation : annotations(method)) {
                    if (annotation.className().equalsString(PACKAGE + "SipApplicationKey;")) {
                        key(
                                model,
                                method,
                                new Found(
                                        file,
                                        className,
                                        method.methodName().stringValue(),
                                        values(annotation)));
                    }
                }
            }
        } catch (RuntimeException e) { // the parser's own kinds, and a few that it lets through
            throw new DeploymentException(file, 0, null, "broken class file: " + e.getMessage(), e);
        }
    }

    private void add(Annotation annotation, Found found) {
        switch (annotation.className().stringValue()) {
            case PACKAGE + "SipServlet;" -> servlets.add(found);
            case PACKAGE + "SipListener;" -> listeners.add(found);
            case PACKAGE + "SipApplication;" -> applications.add(found);
            case CONCURRENCY -> concurrency.add(found);
            default -> {} // other people's annotations
        }
    }

    private void key(ClassModel model, MethodModel method, Found found) throws DeploymentException {
        boolean right =
                model.flags().has(AccessFlag.PUBLIC)
                        && method.flags().has(AccessFlag.PUBLIC)
                        && method.flags().has(AccessFlag.STATIC)
                        && method.methodType().equalsString(KEY_TYPE);
        if (!right) {
            throw new DeploymentException(
                    found.file(),
                    0,
                    "@SipApplicationKey " + found.className() + "." + found.method(),
                    KEY_RULE);
        }
        keys.add(found);
    }

    private static List<Annotation> annotations(AttributedElement element) {
        return element.findAttribute(Attributes.runtimeVisibleAnnotations())
                .map(found -> found.annotations())
                .orElse(List.of());
    }

    private static Map<String, Object> values(Annotation annotation) {
        Map<String, Object> values = new HashMap<>();
        for (AnnotationElement element : annotation.elements()) {
            switch (element.value()) {
                case AnnotationValue.OfString text ->
                        values.put(element.name().stringValue(), text.stringValue());
                case AnnotationValue.OfInt number ->
                        values.put(element.name().stringValue(), number.intValue());
                case AnnotationValue.OfEnum constant ->
                        values.put(
                                element.name().stringValue(),
                                constant.constantName().stringValue());
                case AnnotationValue.OfBoolean flag ->
                        values.put(element.name().stringValue(), flag.booleanValue());
                default -> {} // the API's annotations have no other kind
            }
        }
        return values;
    }

    private static boolean mentions(byte[] bytes) {
        for (int i = 0; i < bytes.length; i++) {
            if ((bytes[i] == 'j' && at(bytes, i, MARK))
                    || (bytes[i] == 'L' && at(bytes, i, CONCURRENCY_MARK))) {
                return true;
            }
        }
        return false;
    }

    private static boolean at(byte[] bytes, int from, byte[] mark) {
        int end = from + mark.length;
        return end <= bytes.length
                && java.util.Arrays.equals(bytes, from, end, mark, 0, mark.length);
    }
}
