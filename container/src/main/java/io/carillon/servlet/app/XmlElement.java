package io.carillon.servlet.app;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.MissingResourceException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * An element of a descriptor with its line. Namespaces and prefixes are dropped: real descriptors
 * have the right ones, others, or none. One thread.
 *
 * <p>Nothing outside the file is read: no DTD, no schema, no entity, whatever the file asks for.
 */
final class XmlElement {
    private static final int MAX_DEPTH = 64;
    private static final String NO_ENTITIES = "a descriptor may not refer to entities";

    /** How the parser says it, which knows no entity but those of XML itself. */
    private static final Pattern ENTITY =
            Pattern.compile("The entity \"([^\"]{1,100})\" was referenced");

    private static final int MAX_ELEMENTS = 100_000;
    private static final int MAX_BYTES = 16 << 20;

    final String name;
    final int line;
    final Map<String, String> attributes = new HashMap<>();
    final List<XmlElement> children = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();

    private XmlElement(String name, int line) {
        this.name = name;
        this.line = line;
    }

    /** Text directly inside, stripped: files are indented as people like it. */
    String text() {
        return text.toString().strip();
    }

    /** The first child of that name, or null. */
    @Nullable XmlElement child(String childName) {
        for (XmlElement child : children) {
            if (child.name.equals(childName)) {
                return child;
            }
        }
        return null;
    }

    /** Bytes in which an XML declaration has its encoding. */
    private static final int LONGEST_DECLARATION = 128;

    /** A mark of UTF-16, or a declaration of another encoding than UTF-8 (XML 1.0, 4.3.3). */
    private static final Pattern OTHER_ENCODING =
            Pattern.compile(
                    "\\A(\\x{FE}\\x{FF}|\\x{FF}\\x{FE}|\\x00|.\\x00"
                            + "|<\\?xml[^>]*encoding\\s*=\\s*[\"'](?!(?i:utf-?8)[\"']))");

    /** A document: its root and what its DOCTYPE says. */
    record Document(XmlElement root, @Nullable String namespace, String doctype) {}

    /**
     * @param file what messages call it
     * @throws DeploymentException when it is not well-formed, or refers to an entity
     */
    static Document read(String file, InputStream in) throws DeploymentException {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(
                XMLInputFactory.IS_NAMESPACE_AWARE, false); // prefixes without a declaration occur
        byte[] bytes = bytes(file, in);
        requireItsEncoding(file, bytes);
        try {
            return new Reader(file, factory.createXMLStreamReader(new ByteArrayInputStream(bytes)))
                    .document();
        } catch (XMLStreamException e) {
            int line = e.getLocation() == null ? 0 : Math.max(e.getLocation().getLineNumber(), 0);
            String reason = firstSentence(e);
            Matcher entity = ENTITY.matcher(reason);
            if (entity.find()) {
                throw new DeploymentException(
                        file, line, "&" + entity.group(1) + ";", NO_ENTITIES, e);
            }
            throw new DeploymentException(file, line, null, "is no well-formed XML: " + reason, e);
        } catch (MissingResourceException e) {
            // The JDK's parser lacks the sentence for some faults of a DTD.
            throw new DeploymentException(file, 0, null, "is no well-formed XML: " + e.getKey(), e);
        }
    }

    private static byte[] bytes(String file, InputStream in) throws DeploymentException {
        try {
            byte[] bytes = in.readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw new DeploymentException(
                        file, 0, null, "is longer than " + MAX_BYTES + " bytes");
            }
            return bytes;
        } catch (IOException e) {
            throw new DeploymentException(file, 0, null, "cannot be read: " + e.getMessage(), e);
        }
    }

    /**
     * Of bytes that are no UTF-8 the JDK's parser tells the error output too, whoever listens; so
     * they do not get there.
     */
    private static void requireItsEncoding(String file, byte[] bytes) throws DeploymentException {
        int begin = Math.min(bytes.length, LONGEST_DECLARATION);
        if (OTHER_ENCODING
                .matcher(new String(bytes, 0, begin, StandardCharsets.ISO_8859_1))
                .find()) {
            return;
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(bytes.length);
        if (StandardCharsets.UTF_8.newDecoder().decode(in, out, true).isError()) {
            int line = 1 + (int) out.flip().chars().filter(c -> c == '\n').count();
            throw new DeploymentException(
                    file, line, null, "is no well-formed XML: bytes that are no UTF-8");
        }
    }

    private static String firstSentence(XMLStreamException e) {
        String message = String.valueOf(e.getMessage());
        int begin = message.indexOf("Message: ");
        String text = begin < 0 ? message : message.substring(begin + "Message: ".length());
        return text.lines().findFirst().orElse(text);
    }

    private static final class Reader {
        private final String file;
        private final XMLStreamReader xml;
        private final List<XmlElement> open = new ArrayList<>();
        private int elements;
        private @Nullable XmlElement root;
        private @Nullable String namespace;
        private String doctype = "";

        Reader(String file, XMLStreamReader xml) {
            this.file = file;
            this.xml = xml;
        }

        Document document() throws XMLStreamException, DeploymentException {
            while (xml.hasNext()) {
                switch (xml.next()) {
                    case XMLStreamConstants.DTD -> doctype = String.valueOf(xml.getText());
                    case XMLStreamConstants.START_ELEMENT -> begin();
                    case XMLStreamConstants.END_ELEMENT -> open.removeLast();
                    case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> {
                        if (!open.isEmpty()) {
                            open.getLast().text.append(xml.getText());
                        }
                    }
                    case XMLStreamConstants.ENTITY_REFERENCE ->
                            throw new DeploymentException(
                                    file, line(), "&" + xml.getLocalName() + ";", NO_ENTITIES);
                    default -> {} // comments, processing instructions
                }
            }
            if (root == null) {
                throw new DeploymentException(file, 0, null, "has no element");
            }
            return new Document(root, namespace, doctype);
        }

        private void begin() throws DeploymentException {
            String qualified = xml.getLocalName();
            String prefix =
                    qualified.contains(":") ? qualified.substring(0, qualified.indexOf(':')) : "";
            XmlElement element =
                    new XmlElement(qualified.substring(qualified.indexOf(':') + 1), line());
            for (int i = 0; i < xml.getAttributeCount(); i++) {
                element.attributes.put(xml.getAttributeLocalName(i), xml.getAttributeValue(i));
            }
            if (root == null) {
                root = element;
                namespace = element.attributes.get(prefix.isEmpty() ? "xmlns" : "xmlns:" + prefix);
            } else {
                open.getLast().children.add(element);
            }
            open.add(element);
            if (open.size() > MAX_DEPTH || ++elements > MAX_ELEMENTS) {
                throw new DeploymentException(
                        file,
                        line(),
                        "<" + element.name + ">",
                        "too many elements, or nested too deep");
            }
        }

        private int line() {
            return Math.max(xml.getLocation().getLineNumber(), 0);
        }
    }
}
