package io.carillon.examples.presence;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.servlet.ServletException;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;
import org.xml.sax.helpers.DefaultHandler;

/** Presence documents (RFC 3863): checks one, makes one of several. */
final class Pidf {
    static final String TYPE = "application/pidf+xml";
    private static final String NAMESPACE = "urn:ietf:params:xml:ns:pidf";

    private Pidf() {}

    /** What is wrong with a document; null when nothing is. */
    static String fault(byte[] document) throws IOException {
        try {
            Element root = parse(document).getDocumentElement();
            return root.getLocalName().equals("presence")
                            && NAMESPACE.equals(root.getNamespaceURI())
                    ? null
                    : "no presence document";
        } catch (SAXException e) {
            return "no well-formed XML without a DTD";
        } catch (ParserConfigurationException e) {
            throw new IOException(e);
        }
    }

    private static DocumentBuilder builder() throws ParserConfigurationException {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultInstance();
        factory.setNamespaceAware(true);
        // Documents come from strangers: no DTD, so no entity that grows or reads a file.
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        DocumentBuilder builder = factory.newDocumentBuilder();
        builder.setErrorHandler(new DefaultHandler());
        return builder;
    }

    private static Document parse(byte[] document)
            throws ParserConfigurationException, SAXException, IOException {
        return builder().parse(new ByteArrayInputStream(document));
    }

    /**
     * One document with the tuples, notes and persons of all. Of two with one id the later
     * publication's stays.
     */
    static byte[] compose(String entity, Collection<byte[]> documents) throws ServletException {
        try {
            Map<String, Node> parts = new LinkedHashMap<>();
            for (byte[] document : documents) {
                Node child = parse(document).getDocumentElement().getFirstChild();
                for (; child != null; child = child.getNextSibling()) {
                    if (child.getNodeType() == Node.ELEMENT_NODE) {
                        String id = ((Element) child).getAttribute("id");
                        parts.put(id.isEmpty() ? " " + parts.size() : id, child);
                    }
                }
            }
            List<Node> ordered = new ArrayList<>(parts.values());
            ordered.sort(Comparator.comparingInt(Pidf::rank));
            Document whole = builder().newDocument();
            Element root = whole.createElementNS(NAMESPACE, "presence");
            root.setAttribute("entity", entity);
            whole.appendChild(root);
            ordered.forEach(part -> root.appendChild(whole.importNode(part, true)));
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            TransformerFactory.newDefaultInstance()
                    .newTransformer()
                    .transform(new DOMSource(whole), new StreamResult(out));
            return out.toByteArray();
        } catch (ParserConfigurationException
                | SAXException
                | IOException
                | TransformerException e) {
            throw new ServletException("The presence of " + entity + " cannot be composed", e);
        }
    }

    /** RFC 3863 4.4: tuples stand before notes, notes before extensions. */
    private static int rank(Node part) {
        boolean own = NAMESPACE.equals(part.getNamespaceURI());
        return own && part.getLocalName().equals("tuple") ? 0 : own ? 1 : 2;
    }
}
