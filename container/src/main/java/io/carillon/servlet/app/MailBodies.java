package io.carillon.servlet.app;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Multipart bodies as the objects of JavaMail ({@code javax.mail}, 1.4 and later) that one
 * application brings. The container has no JavaMail: everything goes by reflection through the
 * application's class loader. SIP Servlet 1.1, {@code SipServletMessage.getContent}: "It is
 * encouraged that the object returned for "multipart" MIME content is a javax.mail.Multipart
 * object".
 *
 * <p>Owner: its {@link Application}, with which it ends. Any thread. What an application does not
 * use costs nothing: the classes are looked for at the first multipart body.
 */
public final class MailBodies {
    private static final Logger LOG = LoggerFactory.getLogger(MailBodies.class);

    /** What stands where nothing says otherwise (RFC 2045 5.2): it need not be written. */
    private static final String DEFAULT_TYPE = "text/plain";

    private final String application;
    private final ClassLoader loader;

    /** Written before {@link #looked}; null where the application has no JavaMail. */
    private @Nullable Library library;

    private volatile boolean looked;

    MailBodies(String application, ClassLoader loader) {
        this.application = application;
        this.loader = loader;
    }

    /** A multipart body as it leaves. */
    @SuppressWarnings("ArrayRecordComponent") // handed on, never compared
    public record Written(byte[] body, String boundary) {}

    /** A multipart that cannot be written. */
    public static final class UnwritableException extends Exception {
        private static final long serialVersionUID = 1;

        UnwritableException(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    /**
     * A {@code javax.mail.internet.MimeMultipart} over the body; it keeps the array.
     *
     * @return null where the application has no JavaMail, and for a body that it cannot read
     */
    public @Nullable Object read(byte[] body, String contentType) {
        Library mail = library();
        if (mail == null) {
            return null;
        }
        try {
            Object multipart =
                    mail.newMultipart.newInstance(mail.newSource.newInstance(body, contentType));
            // It reads the body when it is asked for a part: now, and not in the application.
            mail.getCount.invoke(multipart);
            return multipart;
        } catch (InvocationTargetException e) {
            unreadable(causeOf(e));
            return null;
        } catch (ReflectiveOperationException e) {
            unreadable(e);
            return null;
        }
    }

    private void unreadable(Throwable why) {
        LOG.debug("application {}: a multipart body is left as bytes", application, why);
    }

    /** What JavaMail threw; an error of the virtual machine goes on. */
    private static Throwable causeOf(InvocationTargetException e) {
        Throwable cause = e.getCause();
        if (cause instanceof VirtualMachineError error) {
            throw error;
        }
        return cause == null ? e : cause;
    }

    /** Is it a {@code javax.mail.Multipart} of this application? */
    public boolean isMultipart(Object content) {
        Library mail = library();
        return mail != null && mail.multipart.isInstance(content);
    }

    /**
     * The bytes of such a multipart. A part that the application gave a type, but no header of that
     * name, gets the header. Bytes of parts are not encoded: SIP is binary (RFC 5621 3.2).
     *
     * @throws UnwritableException when JavaMail cannot write it, or when it has no boundary
     */
    public Written write(Object multipart) throws UnwritableException {
        Library mail = library();
        if (mail == null) {
            throw new UnwritableException("the application has no javax.mail", null);
        }
        Thread thread = Thread.currentThread();
        ClassLoader outside = thread.getContextClassLoader();
        thread.setContextClassLoader(loader); // JavaMail finds by it who writes an object
        try {
            String boundary = mail.boundaryOf(multipart);
            if (boundary == null) {
                throw new UnwritableException("the multipart has no boundary", null);
            }
            mail.nameTypes(multipart);
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            mail.writeTo.invoke(multipart, body);
            return new Written(body.toByteArray(), boundary);
        } catch (InvocationTargetException e) {
            Throwable cause = causeOf(e);
            throw new UnwritableException("the multipart cannot be written: " + cause, cause);
        } catch (ReflectiveOperationException e) {
            throw new UnwritableException("the multipart cannot be written: " + e, e);
        } finally {
            thread.setContextClassLoader(outside);
        }
    }

    private @Nullable Library library() {
        if (!looked) {
            library = find().orElse(null); // twice at most at the same moment, with the same result
            looked = true;
        }
        return library;
    }

    private Optional<Library> find() {
        Class<?> present;
        try {
            present = loader.loadClass("javax.mail.internet.MimeMultipart");
        } catch (ClassNotFoundException absent) {
            return Optional.empty();
        } catch (LinkageError unusable) {
            return unusable(unusable);
        }
        try {
            return Optional.of(Library.of(present, loader));
        } catch (ReflectiveOperationException | LinkageError unusable) {
            return unusable(unusable);
        }
    }

    private Optional<Library> unusable(Throwable why) {
        LOG.warn(
                "application {}: multipart bodies stay bytes, for its javax.mail cannot be used"
                        + " (javax.activation has to be in the archive too): {}",
                application,
                why.toString());
        return Optional.empty();
    }

    /** The members of JavaMail that are needed. */
    private record Library(
            Class<?> multipart,
            Constructor<?> newSource,
            Constructor<?> newMultipart,
            Method getCount,
            Method getBodyPart,
            Method writeTo,
            Method multipartType,
            Constructor<?> newType,
            Method parameter,
            Method getHeader,
            Method setHeader,
            Method getDataHandler,
            Method handlerType,
            Method handlerContent) {

        static Library of(Class<?> mimeMultipart, ClassLoader loader)
                throws ReflectiveOperationException {
            Class<?> multipart = loader.loadClass("javax.mail.Multipart");
            Class<?> part = loader.loadClass("javax.mail.Part");
            Class<?> source = loader.loadClass("javax.activation.DataSource");
            Class<?> handler = loader.loadClass("javax.activation.DataHandler");
            Class<?> type = loader.loadClass("javax.mail.internet.ContentType");
            Class<?> bytes = loader.loadClass("javax.mail.util.ByteArrayDataSource");
            return new Library(
                    multipart,
                    bytes.getConstructor(byte[].class, String.class),
                    mimeMultipart.getConstructor(source),
                    multipart.getMethod("getCount"),
                    multipart.getMethod("getBodyPart", int.class),
                    multipart.getMethod("writeTo", OutputStream.class),
                    multipart.getMethod("getContentType"),
                    type.getConstructor(String.class),
                    type.getMethod("getParameter", String.class),
                    part.getMethod("getHeader", String.class),
                    part.getMethod("setHeader", String.class, String.class),
                    part.getMethod("getDataHandler"),
                    handler.getMethod("getContentType"),
                    handler.getMethod("getContent"));
        }

        @Nullable String boundaryOf(Object of) throws ReflectiveOperationException {
            Object type = newType.newInstance(multipartType.invoke(of));
            return (String) parameter.invoke(type, "boundary");
        }

        /** JavaMail itself writes these headers for a whole mail only. */
        void nameTypes(Object of) throws ReflectiveOperationException {
            int count = (int) getCount.invoke(of);
            for (int i = 0; i < count; i++) {
                Object part = getBodyPart.invoke(of, i);
                if (getHeader.invoke(part, "Content-Type") != null) {
                    continue; // as it came, or as the application wrote it
                }
                Object content = getDataHandler.invoke(part);
                String type = content == null ? null : (String) handlerType.invoke(content);
                if (type == null || type.equalsIgnoreCase(DEFAULT_TYPE)) {
                    continue;
                }
                setHeader.invoke(part, "Content-Type", type);
                if (type.regionMatches(true, 0, "multipart/", 0, 10)) {
                    Object inner = handlerContent.invoke(content);
                    if (multipart.isInstance(inner)) {
                        nameTypes(inner);
                    }
                }
            }
        }
    }
}
