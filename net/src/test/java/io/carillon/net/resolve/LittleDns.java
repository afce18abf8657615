package io.carillon.net.resolve;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;

/** A zone behind real sockets on loopback: UDP, and TCP for what does not fit. */
public final class LittleDns implements AutoCloseable {
    private static final int FITS = 1232;

    private final MemoryZone zone;
    private final ServerSocket streams;
    private final DatagramSocket datagrams;

    public LittleDns(MemoryZone zone) throws IOException {
        this.zone = zone;
        InetAddress loopback = InetAddress.ofLiteral("127.0.0.1");
        streams = new ServerSocket(0, 10, loopback);
        datagrams = new DatagramSocket(streams.getLocalPort(), loopback);
        Thread.ofPlatform().daemon().name("dns-udp").start(this::serveDatagrams);
        Thread.ofPlatform().daemon().name("dns-tcp").start(this::serveStreams);
    }

    public InetSocketAddress address() {
        return (InetSocketAddress) datagrams.getLocalSocketAddress();
    }

    private void serveDatagrams() {
        DatagramPacket packet = new DatagramPacket(new byte[4096], 4096);
        while (!datagrams.isClosed()) {
            try {
                datagrams.receive(packet);
                byte[] answer = answer(Arrays.copyOf(packet.getData(), packet.getLength()), true);
                if (answer != null) {
                    datagrams.send(
                            new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
                }
            } catch (IOException e) {
                if (!datagrams.isClosed()) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    private byte[] answer(byte[] question, boolean datagram) throws IOException {
        Message asked = new Message(question);
        if (datagram) {
            zone.ask(asked);
        }
        Message answer = zone.answer(asked);
        if (answer == null) {
            return null;
        }
        byte[] whole = answer.toWire();
        if (!datagram || whole.length <= FITS) {
            return whole;
        }
        Message cut = new Message(asked.getHeader().getID());
        cut.getHeader().setFlag(Flags.QR);
        cut.getHeader().setFlag(Flags.TC);
        cut.addRecord(asked.getQuestion(), org.xbill.DNS.Section.QUESTION);
        return cut.toWire();
    }

    private void serveStreams() {
        while (!streams.isClosed()) {
            try (Socket socket = streams.accept()) {
                DataInputStream in = new DataInputStream(socket.getInputStream());
                byte[] answer = answer(in.readNBytes(in.readUnsignedShort()), false);
                if (answer != null) {
                    DataOutputStream out = new DataOutputStream(socket.getOutputStream());
                    out.writeShort(answer.length);
                    out.write(answer);
                    out.flush();
                    in.readNBytes(1);
                }
            } catch (IOException e) {
                if (!streams.isClosed()) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    @Override
    public void close() throws IOException {
        datagrams.close();
        streams.close();
    }
}
